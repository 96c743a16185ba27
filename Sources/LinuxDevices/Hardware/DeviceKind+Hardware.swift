internal import AccessModel

extension DeviceKind {
  /// Whether its hardware is found on the USB bus, by the class of its interfaces, so that the bus tells
  /// why there is no device.
  var isFoundOnUSB: Bool { [.camera, .microphone, .serial].contains(self) }
}
