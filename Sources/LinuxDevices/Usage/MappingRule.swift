internal import AccessModel

/// Which mappings of a device there can be, so that no others are looked for.
enum MappingRule: Int, Comparable, Sendable {
  /// Its driver lets nobody map it.
  case none
  /// Its driver refuses every mapping that is not shared.
  case shared
  /// Nothing is known to rule any out.
  case any

  /// The rule for a device; any mapping where it is not known.
  init(of device: DeviceFacts?) {
    guard let device else {
      self = .any
      return
    }
    switch device.subsystem {
    // The file operations of these subsystems have no `mmap`, whatever the hardware.
    case "tty", "input", "hidraw": self = .none
    case "misc": self = device.kernelName == "kvm" ? .none : .any
    case "mem":
      let unmapped = ["null", "full", "random", "urandom", "kmsg"]
      self = unmapped.contains(device.kernelName) ? .none : .any
    // videobuf2 gives its buffers only to shared mappings; not every driver uses it.
    case "video4linux":
      self = ["uvcvideo", "vivid"].contains(device.driver ?? "") ? .shared : .any
    default: self = .any
    }
  }

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
