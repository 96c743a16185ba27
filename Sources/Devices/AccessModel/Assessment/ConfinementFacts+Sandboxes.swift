internal import UdevRules

extension ConfinementFacts {
  /// A Boolean value that indicates whether the container runs a complete system.
  ///
  /// Users log in to such a system, and its user database is persistent.
  var isSystemContainer: Bool {
    ["lxc", "lxc-libvirt", "openvz", "systemd-nspawn", "wsl"].contains(container)
  }

  /// A Boolean value that indicates whether the container's engine accepts the options of
  /// docker-run(1) or podman-run(1).
  var takesRunOptions: Bool {
    ["docker", "podman", "containerd", "oci"].contains(container)
  }

  /// A Boolean value that indicates whether the subject runs directly in WSL.
  ///
  /// The value is `false` in a container that runs in the Windows Subsystem for Linux.
  var isWSL: Bool {
    guard let container else {
      return kernelRelease?.lowercased().contains("microsoft") ?? false
    }
    return container == Self.wsl
  }

  /// A Boolean value that indicates whether the subject is a service of the user's own manager.
  ///
  /// A program in a scope of that manager, such as a shell in a terminal, is not a service.
  var isUserService: Bool {
    guard unit != nil, isOfUserManager else { return false }
    return cgroup?.hasSuffix(".service") ?? true
  }

  /// A Boolean value that indicates whether the subject runs in a flatpak.
  var isFlatpak: Bool {
    container == "flatpak" || (container == nil && application != nil && snapName == nil)
  }

  /// A Boolean value that indicates whether the subject runs in a sandbox.
  ///
  /// A sandbox shows some of the user's own devices, while a container is given each device
  /// explicitly.
  var isSandbox: Bool {
    ["bubblewrap", "firejail", "flatpak", "snap"].contains(container)
  }

  /// The name of the subject's snap.
  ///
  /// It comes from the label, such as `snap.firefox.geckodriver (enforce)`, or from the
  /// environment.
  var snapName: String? {
    guard let label, label.hasPrefix("snap.") else {
      return container == "snap" ? application?.plainName : nil
    }
    let name = String(label.dropFirst(5).prefix { $0 != "." && $0 != " " })
    return name.isPlainApplicationName ? name : nil
  }

  /// A Boolean value that indicates whether the subject is a snap whose policy is enforced.
  var isEnforcedSnap: Bool {
    (container == nil || container == "snap") && snapName != nil
      && label?.hasSuffix("(enforce)") == true
  }

  /// The tag that snapd's rules use to give devices to the program, such as `snap_firefox_firefox`.
  var snapTag: String? {
    guard let name = snapName, let label else { return nil }
    let program = label.dropFirst("snap.\(name).".utf8.count).prefix { $0 != " " }
    let tag = "snap_\(name)_\(program)"
    let isPlain = tag.utf8.allSatisfy { byte in
      byte.isLatinLetter || byte.isDecimal || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
    return isPlain ? tag : nil
  }

  /// Returns whether the subject is a strict snap that needs an interface to access a file.
  ///
  /// Such a file is outside the folders that snaps can usually access, or is hidden in a home
  /// directory.
  func snapHides(_ path: String) -> Bool {
    guard isEnforcedSnap, let name = snapName, !path.hasPrefix("/dev/") else { return false }
    // The template of snapd (interfaces/apparmor/template.go), and the interface home, which most
    // snaps are connected to.
    let own = [
      "/snap", "/var/snap/\(name)", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc",
      "/proc",
      "/sys", "/run", "/tmp", "/var/tmp", "/var/lib/snapd", "/home", "/root",
    ]
    return path != "/" && !own.contains { path.isAtOrBelow($0) }
      || path.isAtOrBelow("/run/media") || isHiddenInHome(path)
  }

  /// Returns whether a path contains a hidden name at the top of a home directory.
  ///
  /// The interface home excludes names with a leading dot.
  func isHiddenInHome(_ path: String) -> Bool {
    let parts = path.parts(at: "/")
    return parts.count > 2 && parts[0] == "home" && parts[2].utf8.first == UInt8(ascii: ".")
  }

  /// The name of the subject's flatpak.
  ///
  /// It comes from the file `/.flatpak-info`, or from a scope such as
  /// `app-flatpak-org.gnome.Snapshot-4711.scope`.
  var flatpakApplication: String? {
    if isFlatpak, let name = application?.plainName { return name }
    let group = cgroup.flatMap { $0.split(separator: "/").last.map(String.init) }
    return [unit, group].lazy.compactMap { $0.flatMap(Self.flatpakApplication(in:)) }.first
  }

  /// Returns the name of the flatpak that a scope belongs to.
  ///
  /// If a user's manager started the program, the unit is that manager, and the scope is the last
  /// component of the control group.
  private static func flatpakApplication(in unit: String) -> String? {
    let prefix = "app-flatpak-"
    guard unit.hasPrefix(prefix), unit.hasSuffix(".scope"), let end = unit.lastIndex(of: "-"),
      unit.distance(from: unit.startIndex, to: end) > prefix.count
    else { return nil }
    // systemd writes a hyphen inside a name as \x2d.
    let name = unit[..<end].dropFirst(prefix.count)
      .split(separator: #"\x2d"#, omittingEmptySubsequences: false).joined(separator: "-")
    return name.contains(".") && name.isPlainApplicationName ? name : nil
  }
}

extension ApplicationFacts {
  /// The name; `nil` if it would need quotes in a command.
  fileprivate var plainName: String? { name.isPlainApplicationName ? name : nil }
}

extension String {
  /// A Boolean value that indicates whether snapd or Flatpak can assign this name.
  ///
  /// Such a name needs no quotes.
  fileprivate var isPlainApplicationName: Bool {
    !isEmpty && utf8.count <= 255 && first != "-" && first != "."
      && utf8.allSatisfy { byte in
        ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A) || (0x30...0x39).contains(byte)
          || byte == 0x2D || byte == 0x5F || byte == 0x2E
      }
  }
}

extension AccessFacts {
  /// Returns `true` if the subject is a strict snap that needs an interface to use a file or device,
  /// and no plug is known to be connected.
  ///
  /// snapd tags the devices that a connected plug gives to a program (`snap-device-helper`).
  func snapHides(_ path: String) -> Bool {
    guard path.hasPrefix("/dev/") else { return confinement.snapHides(path) }
    guard confinement.isEnforcedSnap, let name = confinement.snapName,
      let device = devices.first(where: { $0.node == path }), device.isInitialized,
      SnapInterface.name(for: device, at: path) != nil
    else { return false }
    return !device.snapTags.contains { $0.hasPrefix("snap_\(name)_") }
  }

  /// The facts without WSL as a container; `nil` for any other machine.
  ///
  /// WSL has its own kernel, `/dev` and udev, and there is no host on which a fix could be applied.
  var asOwnMachine: AccessFacts? {
    guard confinement.container == ConfinementFacts.wsl else { return nil }
    var facts = self
    facts.confinement.container = nil
    if confinement.hasUdevDatabase == false, hardware?.hasUdevControl == nil {
      // The daemon creates /run/udev for its database and its socket.
      facts.hardware = hardware ?? HardwareFacts()
      facts.hardware?.hasUdevControl = false
    }
    facts.confinement.hasUdevDatabase = nil
    return facts
  }
}

/// The snapd interface that gives access to an object.
enum SnapInterface {
  /// The interface for sound devices; audio-playback and audio-record cover only sound servers.
  static let sound = "alsa"

  /// Returns whether only a gadget snap on Ubuntu Core provides the interface's slot.
  static func isOfGadgets(_ name: String) -> Bool {
    ["hidraw", "serial-port", "i2c", "spi", "gpio", "iio", "uio"].contains(name)
  }

  /// Returns the interface for a device of a subsystem or a path; `nil` if none is known.
  static func name(for device: DeviceFacts?, at path: String) -> String? {
    if device?.properties["ID_INPUT_JOYSTICK"] == "1" { return "joystick" }
    if let device, let name = name(ofSubsystem: device.subsystem, device.kernelName) {
      return name
    }
    let node = device?.node ?? path
    let name = node.hasPrefix("/dev/") ? node.dropFirst(5) : ""
    for (prefix, interface) in devices where name.hasPrefix(prefix) {
      // A longer word is another device: `media0` is one of the devices, but `mediated` is not.
      let isWhole = name.dropFirst(prefix.count).first.map { !$0.isLetter } ?? true
      if isWhole || prefix.hasSuffix("/") { return interface }
    }
    for place in ["/media", "/mnt", "/run/media"] where path.isAtOrBelow(place) {
      return "removable-media"
    }
    if path.isAtOrBelow("/sys") || path.isAtOrBelow("/run/udev/data") { return "hardware-observe" }
    return path.hasPrefix("/home/") ? "home" : nil
  }

  private static func name(ofSubsystem subsystem: String, _ kernelName: String) -> String? {
    switch subsystem {
    case "video4linux": kernelName.hasPrefix("v4l-subdev") ? "media-control" : "camera"
    case "media": "media-control"
    case "sound": sound
    case "drm": "opengl"
    case "tty": "serial-port"
    case "usb": "raw-usb"
    case "hidraw": "hidraw"
    case "input": kernelName.hasPrefix("js") ? "joystick" : "raw-input"
    case "i2c-dev": "i2c"
    case "spidev": "spi"
    case "gpio": "gpio"
    case "dvb": "dvb"
    default: nil
    }
  }

  private static let devices = [
    ("video", "camera"), ("snd/", sound), ("dri/", "opengl"), ("ttyS", "serial-port"),
    ("ttyUSB", "serial-port"), ("ttyACM", "serial-port"), ("bus/usb/", "raw-usb"),
    ("hidraw", "hidraw"), ("input/js", "joystick"), ("input/event", "raw-input"), ("kvm", "kvm"),
    ("i2c-", "i2c"), ("spidev", "spi"), ("dvb/", "dvb"), ("mei", "intel-mei"),
    ("uinput", "uinput"), ("uhid", "uhid"), ("tpm", "tpm"), ("fuse", "fuse-support"),
    ("net/tun", "network-control"), ("ppp", "ppp"), ("fb", "framebuffer"), ("uio", "uio"),
    ("iio:device", "iio"), ("gpiomem", "gpio-memory-control"), ("media", "media-control"),
    ("v4l-subdev", "media-control"),
  ]
}

/// Processes whose unit does not set their user and groups.
extension AccessFacts {
  /// The facts without the unit of a process that a login or a user manager started.
  ///
  /// The value is `nil` for any other process. Without a login manager, the shell of a login stays
  /// in the control group of the service that accepted the login. That service sets the user's
  /// groups with initgroups(3), so a change to its unit cannot add a group. A service of the user's
  /// own manager is not a system service.
  var withoutForeignUnit: AccessFacts? {
    guard let unit = confinement.serviceUnit, origin?.kind != .unit else { return nil }
    var facts = self
    if let manager = confinement.userManager {
      facts.confinement.unit = manager
      return facts
    }
    // A device policy of the unit also applies to the logins that it accepts.
    guard Self.isLoginService(unit), access.subject.ruid != 0, account.user != unit.unitStem,
      (confinement.service?.policies ?? []).isEmpty
    else { return nil }
    facts.confinement.unit = nil
    return facts
  }

  private static func isLoginService(_ unit: String) -> Bool {
    loginServices.contains(unit.unitStem) || unit.unitStem.hasSuffix("getty")
  }

  /// The services that start programs on behalf of users: remote logins, display managers and jobs.
  private static let loginServices: Set<String> = [
    "ssh", "sshd", "dropbear", "tinysshd", "telnetd", "telnet", "inetd", "xinetd", "xrdp",
    "xrdp-sesman", "login", "agetty", "cron", "crond", "cronie", "fcron", "anacron", "atd",
    "display-manager", "gdm", "gdm3", "greetd", "lightdm", "lxdm", "ly", "nodm", "sddm", "slim",
    "xdm",
  ]
}

extension ConfinementFacts {
  /// The user manager whose control group contains the subject, such as `user@1000.service`.
  var userManager: String? {
    cgroup?.split(separator: "/").map(String.init)
      .last { $0.hasPrefix("user@") && $0.hasSuffix(".service") && $0.isUnitName }
  }

  /// A Boolean value that indicates whether the unit is on the host and contains the container.
  ///
  /// Examples are a machine of systemd-nspawn and a container of podman in a system service. The
  /// unit has a device policy for the whole container, and sets no groups inside it.
  var isUnitOfHost: Bool {
    guard container != nil, !isSandbox, let unit = serviceUnit else { return false }
    if takesRunOptions || unit.hasPrefix("systemd-nspawn@") { return true }
    let parts = (cgroup ?? "").split(separator: "/").map(String.init)
    return parts.contains("machine.slice")
      || parts.last.map { $0.contains("payload") || $0.hasPrefix("libpod") } ?? false
  }
}

extension ConfinementFacts {
  /// The service whose unit sets the subject's groups.
  ///
  /// The value is `nil` for a login, and for a container that belongs to a unit of the host.
  var groupService: String? { isUnitOfHost ? nil : serviceUnit }
}

extension String {
  /// The name of a unit without its instance and type, such as `getty` for `getty@tty1.service`.
  fileprivate var unitStem: String {
    String(prefix { $0 != "@" && $0 != "." })
  }
}

/// The user namespace that the user and group IDs in the facts belong to.
extension AccessFacts {
  /// A Boolean value that indicates whether the IDs come from a user namespace that hides the IDs
  /// of the machine.
  ///
  /// Inside a user namespace, the kernel reports the IDs of the parent namespace. The parent is not
  /// the initial namespace if root's own objects belong to the overflow user although the map has
  /// an ID for root. The same is true if the map contains IDs that no machine assigns to a
  /// namespace: the ranges in subuid(5) start far above them.
  package var hasForeignNumbers: Bool {
    guard let map = access.subject.userNamespace?.users else { return false }
    if map.ranges.contains(where: { (1..<1000).contains($0.outside) && $0.length > 1 }) {
      return true
    }
    // On Proxmox VE, these engines usually run inside LXC containers.
    if confinement.takesRunOptions, confinement.kernelRelease?.hasSuffix("-pve") == true {
      return true
    }
    guard map.inside(0) != nil else { return false }
    return access.nodes.contains { node in
      guard node.uid == Subject.overflowID else { return false }
      if node.type.isDevice { return true }
      return node.type == .directory
        && access.mount(of: node.path).map { Self.rootedTypes.contains($0.fstype) } ?? false
    }
  }

  /// The filesystems whose directories belong to root.
  private static let rootedTypes: Set<String> = ["devtmpfs", "proc", "sysfs"]
}
