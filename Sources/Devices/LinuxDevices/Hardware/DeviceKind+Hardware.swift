internal import AccessModel

extension DeviceKind {
  /// A Boolean value that indicates whether the hardware is searched for on the USB bus.
  ///
  /// The events of that bus report new hardware.
  var isFoundOnUSB: Bool { [.camera, .microphone, .serial].contains(self) }

  /// A Boolean value that indicates whether a bus can show why there is no device of the kind.
  ///
  /// The hardware is recognized by the class of its interfaces or by its driver.
  var isFoundOnBuses: Bool { [.camera, .microphone, .serial, .gpu].contains(self) }
}
