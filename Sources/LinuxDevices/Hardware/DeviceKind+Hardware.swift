internal import AccessModel

extension DeviceKind {
  /// Whether its hardware is found on the USB bus, whose events tell when it comes.
  var isFoundOnUSB: Bool { [.camera, .microphone, .serial].contains(self) }

  /// Whether its hardware is found on a bus, by the class of its interfaces or by its driver, so that the
  /// bus tells why there is no device.
  var isFoundOnBuses: Bool { [.camera, .microphone, .serial, .gpu].contains(self) }
}
