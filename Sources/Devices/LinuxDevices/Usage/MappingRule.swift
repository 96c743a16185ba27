internal import AccessModel

/// The kinds of mapping that a device permits, which limits the mappings to inspect.
enum MappingRule: Int, Comparable, Sendable {
  /// The driver does not permit any mapping.
  case none
  /// The driver permits only shared mappings.
  case shared
  /// The driver may permit any mapping.
  case any

  /// Determines the rule for a device, which is `any` if the device is unknown.
  init(of device: DeviceFacts?) {
    guard let device else {
      self = .any
      return
    }
    switch device.subsystem {
    // The file operations of these subsystems do not include `mmap`, regardless of the hardware.
    case "tty", "input", "hidraw": self = .none
    case "misc": self = device.kernelName == "kvm" ? .none : .any
    case "mem":
      let unmapped = ["null", "full", "random", "urandom", "kmsg"]
      self = unmapped.contains(device.kernelName) ? .none : .any
    // videobuf2 permits only shared mappings, but not every driver uses it.
    case "video4linux":
      self = ["uvcvideo", "vivid"].contains(device.driver ?? "") ? .shared : .any
    default: self = .any
    }
  }

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
