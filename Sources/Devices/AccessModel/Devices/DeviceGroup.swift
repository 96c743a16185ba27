/// The groups that udev's default rules assign to devices (`50-udev-default.rules` of systemd).
enum DeviceGroup {
  /// Returns the usual group of a device.
  ///
  /// - Parameters:
  ///   - subsystem: The subsystem of the device; `nil` if only its node is known.
  ///   - path: The path of the node.
  /// - Returns: The name of the group; `nil` if these rules leave the device to root.
  static func usual(ofSubsystem subsystem: String?, at path: String) -> String? {
    switch subsystem {
    case "tty": "dialout"
    case "video4linux", "media", "dvb": "video"
    case "drm": path.contains("/renderD") ? "render" : "video"
    case "kfd": "render"
    case "sound": "audio"
    case "input": "input"
    default: paths.first { path.hasPrefix($0.prefix) }?.group
    }
  }

  /// Returns a warning about a group that gives access to far more than one device, as one clause.
  static func reach(of name: String?) -> String? {
    switch name {
    case "input": "every keyboard: a member's programs can read everything that is typed"
    case "disk": "every disk: a member's programs can read and change all files"
    case "kmem": "the memory of the kernel"
    default: nil
    }
  }

  private static let paths: [(prefix: String, group: String)] = [
    ("/dev/ttyUSB", "dialout"), ("/dev/ttyACM", "dialout"), ("/dev/ttyS", "dialout"),
    ("/dev/ttyAMA", "dialout"), ("/dev/video", "video"), ("/dev/media", "video"),
    ("/dev/dvb/", "video"), ("/dev/dri/card", "video"), ("/dev/dri/renderD", "render"),
    ("/dev/kfd", "render"), ("/dev/snd/", "audio"), ("/dev/input/", "input"), ("/dev/kvm", "kvm"),
  ]
}

extension DeviceGroup {
  /// Returns whether a group is one that distributions usually assign to such devices.
  ///
  /// - Parameters:
  ///   - name: The name of the group.
  ///   - subsystem: The subsystem of the device; `nil` if only its node is known.
  ///   - path: The path of the node.
  /// - Returns: `true` if the group is usual for such devices.
  static func isUsual(_ name: String, ofSubsystem subsystem: String?, at path: String) -> Bool {
    if let usual = usual(ofSubsystem: subsystem, at: path) {
      return name == usual || kin[usual]?.contains(name) == true
    }
    switch subsystem ?? "" {
    case "spidev": return name == "spi"
    case "i2c-dev": return name == "i2c"
    case "gpio", "pwm": return name == "gpio"
    case "usb", "usbmisc", "hidraw": return ["plugdev", "lp", "scanner", "usb"].contains(name)
    case "block": return ["disk", "cdrom", "floppy", "tape"].contains(name)
    default: break
    }
    if path.hasPrefix("/dev/spidev") { return name == "spi" }
    if path.hasPrefix("/dev/i2c-") { return name == "i2c" }
    if path.hasPrefix("/dev/gpio") { return name == "gpio" }
    return ["/dev/bus/usb/", "/dev/hidraw"].contains(where: path.hasPrefix) && name == "plugdev"
  }

  /// Returns whether a group is unrelated to such devices.
  ///
  /// Such a group belongs to a program or to administration, or is meant for another kind of
  /// device.
  static func isUnrelated(_ name: String, ofSubsystem subsystem: String?, at path: String) -> Bool {
    if name.hasPrefix("systemd-") || others.contains(name) { return true }
    return usual(ofSubsystem: subsystem, at: path) != nil && forDevices.contains(name)
      && !isUsual(name, ofSubsystem: subsystem, at: path)
  }

  /// The groups that some distributions use instead of the usual one.
  private static let kin: [String: Set<String>] = [
    "dialout": ["uucp", "tty", "lock"], "render": ["video"], "video": ["render"],
    "input": ["plugdev"], "kvm": ["qemu", "libvirt"],
  ]

  private static let forDevices: Set<String> = [
    "audio", "cdrom", "dialout", "disk", "gpio", "i2c", "input", "kvm", "lp", "plugdev", "render",
    "scanner", "spi", "tape", "tty", "uucp", "video",
  ]

  /// System groups that distributions create for programs and administration, not for devices.
  private static let others: Set<String> = [
    "_ssh", "adm", "avahi", "backup", "bin", "chrony", "colord", "cron", "crontab", "daemon",
    "dhcp", "dnsmasq", "docker", "ftp", "games", "geoclue", "gnats", "guest", "irc", "kmem",
    "landscape", "list", "lpadmin", "lxd", "mail", "man", "messagebus", "mlocate", "mysql",
    "netdev", "news", "nginx", "nogroup", "ntp", "operator", "ping", "plocate", "polkitd",
    "postdrop", "postfix", "postgres", "proxy", "redis", "rtkit", "sasl", "shadow", "slocate",
    "squid", "src", "ssh", "ssh_keys", "sshd", "ssl-cert", "staff", "sudo", "syslog", "tcpdump",
    "utempter", "utmp", "uuidd", "voice", "wheel", "www-data",
  ]
}
