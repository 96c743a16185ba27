import AccessModel
import Testing

/// Fixes for the machine's own devices that survive replugging, a restart and a change of port.
@Suite struct `Fixes for the machine's own devices` {
  private func fixes(_ change: (inout Fixtures) -> Void) -> [Remedy] {
    Fixtures.camera.with(change).explain().remedies
  }

  // MARK: - Matches of rules

  /// Explains a raw USB node owned by root to the user of the seat.
  private func raw(_ change: (inout DeviceFacts) -> Void = { _ in }) -> Explanation {
    Fixtures.camera.with {
      $0.askDevice("/dev/bus/usb/001/012", subsystem: "usb", mode: 0o664, tags: [])
      $0.sit()
      var device = DeviceFacts(
        node: "/dev/bus/usb/001/012", sysfsPath: "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-6",
        subsystem: "usb", kernelName: "1-6")
      device.bus = "usb"
      device.number = DeviceNumber(major: 250, minor: 0)
      device.properties = ["ID_VENDOR_ID": "04d8", "ID_MODEL_ID": "1234"]
      change(&device)
      $0.facts.devices = [device]
    }.explain()
  }

  @Test func `match a USB device by its model, wherever it is plugged in`() throws {
    let fix = try #require(raw().remedies.first)
    let line = try #require(fix.commands.first)
    #expect(
      line.contains(
        #"'SUBSYSTEM=="usb", ATTRS{idVendor}=="04d8", ATTRS{idProduct}=="1234", TAG+="uaccess"'"#))
    #expect(fix.lasts == nil && fix.isProven)
    #expect(fix.excess == "access to other devices of the same model")
  }

  @Test func `match only the one with the serial number`() throws {
    let fix = try #require(raw { $0.properties["ID_SERIAL_SHORT"] = "0123456" }.remedies.first)
    #expect(fix.commands.first?.contains(#", ATTRS{serial}=="0123456", TAG"#) == true)
    #expect(fix.lasts == nil && fix.excess == nil)
  }

  @Test func `match the port of a device whose model is not known, and say how long`() throws {
    let fix = try #require(raw { $0.properties = [:] }.remedies.first)
    #expect(fix.commands.first?.contains(#"KERNEL=="1-6", TAG"#) == true)
    #expect(fix.lasts == "until the device is plugged into another port")
  }

  @Test(arguments: [
    ("gpio", "gpiochip0", "platform/soc/fe200000.gpio", #"KERNELS=="fe200000.gpio""#, "gpio"),
    (
      "i2c-dev", "i2c-1", "platform/soc/fe804000.i2c/i2c-1/i2c-dev", #"KERNELS=="fe804000.i2c""#,
      "i2c"
    ),
    ("pwm", "pwmchip2", "pci0000:00/0000:00:1c.0", #"KERNELS=="0000:00:1c.0""#, "pwm"),
    ("gpio", "gpiochip0", "virtual", #"KERNEL=="gpiochip*", GROUP"#, "gpio"),
  ])
  func `give pins and buses to a group by their place, and not by a number`(
    subsystem: String, name: String, place: String, match: String, group: String
  ) throws {
    let remedies = fixes {
      $0.askDevice("/dev/\(name)", subsystem: subsystem, mode: 0o600, tags: [])
      $0.session("5", seat: nil, isActive: true, isRemote: true, active: nil)
      $0.facts.devices[0].sysfsPath = "/sys/devices/\(place)/\(name)"
    }
    let fix = try #require(remedies.first)
    #expect(fix.commands.first == "groupadd --system \(group)")
    let line = try #require(fix.commands.first { $0.hasPrefix("printf") })
    #expect(line.contains(match) && line.contains(#"GROUP="\#(group)", MODE="0660""#))
    #expect(fix.lasts == nil)
    #expect(fix.excess?.contains("every member of group \(group) read and write access") == true)
  }

  // MARK: - Groups

  @Test func `put the user into the group of the node before a new rule`() throws {
    let remedies = fixes {
      $0.askDevice("/dev/ttyACM0", subsystem: "tty", gid: 20)
      $0.sit()
    }
    #expect(remedies.first?.commands == ["usermod -aG dialout alice"])
    #expect(remedies.dropFirst().first?.isInterim == true)
  }

  @Test func `give a lingering user's service a group, because no session becomes active`() throws {
    let remedies = fixes {
      $0.askDevice("/dev/uinput", subsystem: "misc", mode: 0o600, tags: ["seat", "uaccess"])
      $0.session(nil, seat: nil, active: nil)
      $0.facts.confinement.unit = "user@1000.service"
      $0.facts.confinement.cgroup =
        "/user.slice/user-1000.slice/user@1000.service/app.slice/a.service"
    }
    let fix = try #require(remedies.first)
    #expect(fix.commands.contains { $0.contains(#"GROUP="uinput""#) })
    #expect(fix.lasts == nil)
  }

  @Test(arguments: [[], [998]] as [[UInt32]])
  func `say that a daemon dropped its groups if it has not even its own`(groups: [UInt32]) {
    let cause = Fixtures.camera.with {
      $0.askDevice("/dev/ttyACM0", subsystem: "tty", gid: 20)
      $0.serve("mmdvmhost.service")
      $0.facts.origin = SubjectOrigin(.process, name: "MMDVMHost")
      $0.facts.access.subject = Subject(uid: 998, gid: 998, groups: groups)
      $0.facts.account.loginGroups = [998, 20]
    }.explain().cause
    #expect(cause?.code == (groups.isEmpty ? .groupsDropped : .groupNotRefreshed))
  }

  @Test func `do not promise that setfacl is installed where udev looks for it`() throws {
    let remedies = fixes {
      $0.askDevice("/dev/vchiq", subsystem: "vchiq", mode: 0o600, tags: [])
      $0.facts.access.subject = Subject(uid: Fixtures.alice, gid: Fixtures.alice)
      $0.serve("printer.service")
    }
    let rule = remedies.first { $0.commands.first?.contains("devaccess-entry.rules") == true }
    #expect(rule?.assumes == "setfacl is installed as /usr/bin/setfacl")
  }

  // MARK: - Durations

  @Test(arguments: [nil, "misc"])
  func `last until the node is made again where udev does not know it`(subsystem: String?) throws {
    let remedies = fixes {
      $0.ask("/dev/nvidia0", gid: Fixtures.video)
      $0.facts.devices = []
      var hardware = HardwareFacts()
      hardware.numbers = [
        HardwareFacts.Number(
          DeviceNumber(major: 250, minor: 0), subsystem: subsystem, hasDriver: true)
      ]
      $0.facts.hardware = hardware
    }
    let byHand = try #require(remedies.first { $0.commands.first?.hasPrefix("setfacl") == true })
    #expect(
      (byHand.end == .nodeCreation(path: "/dev/nvidia0", isInMemory: true)) == (subsystem == nil))
  }

  // MARK: - Drivers

  @Test(arguments: [
    ("dvb_usb_rtl28xxu", true), ("pn533_usb", true), ("usblp", true), ("ftdi_sio", false),
    ("usb-storage", false), ("usbhid", false), ("cdc_acm", false),
  ])
  func `keep a driver from loading only if it is for such devices`(
    driver: String, isBlacklisted: Bool
  ) throws {
    let remedies = fixes {
      $0.askDevice("/dev/bus/usb/001/005", subsystem: "usb", mode: 0o666, tags: [])
      $0.facts.devices[0].sysfsPath = "/sys/devices/usb1/1-3"
      var hardware = HardwareFacts()
      hardware.interfaces = [
        HardwareFacts.USBInterface(
          sysfsPath: "/sys/devices/usb1/1-3/1-3:1.0", driver: driver, interfaceClass: 255)
      ]
      $0.facts.hardware = hardware
    }
    let first = try #require(remedies.first)
    if isBlacklisted {
      #expect(
        first.commands == [
          "echo 'blacklist \(driver)' > /etc/modprobe.d/devaccess-\(driver).conf",
          "modprobe -r \(driver)",
        ])
    }
    #expect(first.lasts == nil)
    #expect(remedies.contains { $0.commands.joined().contains("blacklist") } == isBlacklisted)
  }

  @Test(arguments: [("bdc-pci", true), ("vfio-pci", false), ("snd_hda_intel", false)])
  func `give a device on PCI back to its driver`(driver: String, isBlacklisted: Bool) throws {
    let explanation = Fixtures.camera.with {
      $0.removeDevices()
      var hardware = HardwareFacts()
      hardware.held = [
        .init(
          sysfsPath: "/sys/bus/pci/devices/0000:02:00.0", name: "FaceTime", driver: driver,
          module: "facetimehd", identifiers: "14e4:1570")
      ]
      $0.facts.hardware = hardware
    }.explain()
    let summary = try #require(explanation.cause?.summary)
    #expect(summary.contains("virtual machine") == (driver == "vfio-pci"))
    let commands = explanation.remedies.flatMap(\.commands)
    #expect(commands.contains { $0.contains("blacklist bdc_pci") } == isBlacklisted)
    if driver == "vfio-pci" {
      #expect(
        explanation.remedies.first?.title.contains("14e4:1570 from vfio-pci's options") == true
      )
    }
  }

  @Test(
    arguments: [
      ("5.4.0-1010-aws", "apt-get install linux-modules-extra-$(uname -r)"),
      ("6.8.0-45-generic", "apt-get install linux-modules-extra-$(uname -r)"),
      ("6.1.0-28-cloud-amd64", "apt-get install linux-image-amd64"),
      ("6.11.5-200.fc40.x86_64", "dnf install kernel-modules-$(uname -r)"),
      ("5.14.0-427.el9.x86_64", "dnf install kernel-modules-$(uname -r)"),
      ("6.6.22-0-virt", "apk add linux-lts"), ("6.16.8-arch1-1", nil), ("6.1.0-28-amd64", nil),
    ] as [(String, String?)])
  func `name the package with the drivers that the kernel's own lacks`(
    release: String, command: String?
  ) {
    let remedies = fixes {
      $0.lackDriver(HardwareFacts.Module(name: "uvcvideo", isLoaded: false, isInstalled: false))
      $0.facts.confinement.kernelRelease = release
    }
    #expect(remedies.first?.commands.first == command)
    #expect(!remedies.contains { $0.commands.joined().contains("modprobe") })
  }

  @Test(arguments: [
    ("uvcvideo", "6.8.0-40-generic", "Reboot into kernel 6.8.0-45-generic"),
    ("uvcvideo", "6.8.0-50-generic", "Install the extra modules of the running kernel"),
    (
      "v4l2loopback", "6.8.0-50-generic",
      "Install the headers of the running kernel and build the module again"
    ),
  ])
  func `build only modules that are not a part of Linux`(
    module: String, running: String, title: String
  ) {
    let remedies = fixes {
      $0.lackDriver(
        HardwareFacts.Module(
          name: module, isLoaded: false, isInstalled: false, otherKernels: ["6.8.0-45-generic"]))
      $0.facts.hardware?.unbound[0].module = module
      $0.facts.confinement.kernelRelease = running
    }
    #expect(remedies.first?.title == title)
  }

  @Test(arguments: [
    ("/dev/i2c-1", "i2c_dev"), ("/dev/input/js0", "joydev"), ("/dev/parport0", "ppdev"),
  ])
  func `load the module that makes numbered nodes`(path: String, module: String) throws {
    let explanation = Fixtures.camera.with {
      $0.removeDevices()
      $0.askAbsent(path)
      var hardware = HardwareFacts()
      hardware.modules = [HardwareFacts.Module(name: module, isLoaded: false, isInstalled: true)]
      $0.facts.hardware = hardware
    }.explain()
    #expect(explanation.cause?.code == .nodeAbsentNoDriver)
    let commands = try #require(explanation.remedies.first).commands
    #expect(commands.last == "echo \(module) > /etc/modules-load.d/devaccess-\(module).conf")
  }

  // MARK: - Services and containers

  @Test func `let a running service write the directory in which it makes files`() throws {
    let explanation = Fixtures.camera.with {
      $0.ask("/data/videos", .directory, mode: 0o755, uid: Fixtures.alice)
      $0.facts.access.request = .open(
        path: "/data/videos/new", flags: [.writeOnly, .create, .exclusive])
      $0.facts.access.mounts.append(Mount(at: "/data", fstype: "ext4"))
      $0.facts.access.mounts[2].readOnly = true
      $0.serve("dl.service")
      var service = ServiceFacts()
      service.isRunning = true
      service.protected = [ServiceFacts.Protection("/data")]
      $0.facts.confinement.service = service
    }.explain()
    #expect(explanation.cause?.summary.contains("read-only for dl.service") == true)
    #expect(
      explanation.remedies.first?.commands.contains { $0.contains("ReadWritePaths=/data/videos") }
        == true)
    #expect(!explanation.remedies.contains { $0.commands.joined().contains("remount") })
  }

  @Test func `put a device that came back into the configuration of plain LXC`() throws {
    let remedies = fixes {
      $0.contain("lxc")
      $0.facts.confinement.label = "lxc-container-default-cgns (enforce)"
      $0.ask("/dev/hidraw1", mode: 0o666)
      $0.node("/dev/hidraw1") { $0.rdev = DeviceNumber(major: 241, minor: 1) }
      var device = DeviceFacts(
        node: nil, sysfsPath: "/sys/devices/usb1/1-4/1-4:1.0/0003:1050:0407.0005/hidraw/hidraw2",
        subsystem: "hidraw", kernelName: "hidraw2")
      device.systemNode = "/dev/hidraw2"
      device.number = DeviceNumber(major: 241, minor: 2)
      $0.facts.devices = [device]
      $0.facts.kind = "hidraw"
      var hardware = HardwareFacts()
      hardware.numbers = [
        HardwareFacts.Number(DeviceNumber(major: 241, minor: 1), hasDriver: true)
      ]
      $0.facts.hardware = hardware
    }
    let fix = try #require(remedies.first)
    #expect(fix.options.first == "lxc.cgroup2.devices.allow = c 241:* rw")
    #expect(fix.takesEffect == "when the container is restarted")
  }

  @Test func `mount a drive of Windows with the user as the owner`() throws {
    let remedies = fixes {
      $0.ask("/mnt/d", .directory)
      var mount = Mount(at: "/mnt/d", fstype: "9p")
      mount.source = "D:\\"
      $0.facts.access.mounts.append(mount)
      $0.facts.confinement.container = "wsl"
    }
    #expect(remedies.first?.options == ["uid=1000,gid=1000"])
  }
}
