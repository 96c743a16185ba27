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
