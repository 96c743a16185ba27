internal import AccessModel

extension DeviceKind {
  /// Returns the path that the first node of this kind usually has, for a missing device.
  ///
  /// Names that other devices of the subsystem use, such as metadata nodes, are skipped.
  func conventionalPath(besides nodes: Set<String>) -> String {
    let (stem, first) = conventionalName
    guard let first else { return stem }
    let numbers = first...(first + nodes.count)
    return numbers.lazy.map { "\(stem)\($0)" }.first { !nodes.contains($0) } ?? "\(stem)\(first)"
  }

  /// The name without its number, and the first number; the number is `nil` for a fixed name.
  private var conventionalName: (stem: String, first: Int?) {
    switch name {
    case "camera": ("/dev/video", 0)
    case "microphone": ("/dev/snd/pcmC0D0c", nil)
    case "gpu": ("/dev/dri/renderD", 128)
    case "serial": ("/dev/ttyUSB", 0)
    case "input": ("/dev/input/event", 0)
    case "hidraw": ("/dev/hidraw", 0)
    case "kvm": ("/dev/kvm", nil)
    case "usb": ("/dev/bus/usb/001/001", nil)
    default: ("/dev/\(namePrefixes.first ?? name)", 0)
    }
  }
}
