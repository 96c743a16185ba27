import AccessModel

/// Reports about seats, containers, units and sandboxes.
extension Report {
  static let seats: [Report] = [
    Report("teamfinalmouse/xpanel-linux-permissions#5", .uaccessNotTagged) {
      $0.askDevice("/dev/hidraw0", subsystem: "hidraw", mode: 0o600, tags: ["seat", "uaccess"])
      $0.sit()
    },
    Report("liquidctl/liquidctl#889", .uaccessNotTagged) {
      $0.askDevice("/dev/hidraw0", subsystem: "hidraw", mode: 0o600)
      $0.sit()
    },
    Report("the-via/releases#5", .uaccessNotTagged) {
      $0.askDevice("/dev/hidraw0", subsystem: "hidraw", mode: 0o600)
      $0.sit()
    },
    // The thread found a race between two daemons, which results in an entry for the wrong user.
    Report("systemd/systemd#36408", .aclStale, first: .aclAbsent) {
      $0.sit()
      $0.list([ACLEntry(.user, Fixtures.bob, [.read, .write])])
    },
    Report("ConsoleKit2/ConsoleKit2#105", .uaccessNotActive) {
      $0.askDevice(
        "/dev/bus/usb/001/004", subsystem: "usb", mode: 0o600, tags: ["seat", "uaccess"])
      $0.facts.session = SessionFacts(isLogindRunning: false)
    },
  ]

  static let layers: [Report] = [
    Report("fwupd/fwupd#8265", .cgroupDevice, first: .unitPrivateDevices) {
      $0.ask("/dev/sda", .blockDevice)
      $0.facts.access.subject = Subject(uid: 0, gid: 0)
      $0.serve("fwupd.service")
      $0.check([.read, .write], 1)
    },
    Report("lowRISC/container-hotplug#14", .cgroupDevice) {
      $0.contain("containerd")
      $0.askDevice("/dev/dri/renderD128", subsystem: "drm", mode: 0o666)
      $0.check([.read, .write], 1)
    },
    Report("intel/intel-device-plugins-for-kubernetes#1378", .cgroupDevice) {
      $0.contain("kubernetes")
      $0.join(Fixtures.video)
      $0.check([.read, .write], 1)
    },
    Report("systemd/systemd#13857", .unitPrivateDevices) {
      $0.ask("/dev/tty0", mode: 0o620, gid: 5)
      $0.facts.access.subject = Subject(uid: 0, gid: 0)
      $0.serve("console.service")
      $0.check([.read, .write], 1)
    },
    Report("kreuzwerker/terraform-provider-docker#975", .containerHotplug) {
      $0.contain("docker")
      $0.join(Fixtures.video)
      $0.node { $0.rdev = DeviceNumber(major: 81, minor: 9) }
      $0.check([.read, .write], 1)
    },
    Report("lxc/incus#3014", .mountNodev) {
      $0.contain("lxc")
      $0.ask("/tmp/dev/null", mode: 0o666)
      var mount = Mount(at: "/tmp", fstype: "tmpfs")
      mount.superblockNodev = true
      $0.facts.access.mounts.append(mount)
      $0.check([.read, .write], 0)
    },
    Report("paroj/pose_calib#2", .snapInterface) {
      $0.contain("snap")
      $0.join(Fixtures.video)
      $0.facts.confinement.label = "snap.posecalib.posecalib (enforce)"
      $0.check([.read, .write], 1)
    },
    Report("RocketChat/Rocket.Chat.Electron#1278", .snapInterface) {
      $0.contain("snap")
      $0.hide()
    },
    Report("maltejur/discord-screenaudio#46", .flatpakDevice) {
      $0.contain("flatpak")
      $0.hide()
    },
    Report("libretime/libretime#2242", .unitProtectHome, from: .album()) {
      $0.node("/home") { $0.mode = 0 }
      $0.facts.access.mounts.append(Mount(at: "/home", fstype: "tmpfs"))
      $0.serve("libretime-api.service")
    },
  ]
}
