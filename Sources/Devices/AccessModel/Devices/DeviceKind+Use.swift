extension DeviceKind {
  /// Returns the devices whose users are relevant to a question about this kind.
  ///
  /// These are the candidates or, if there are none, the raw nodes of camera pipelines. Other nodes
  /// of the subsystem are never included, such as a codec, an output, or the sequencer of a sound
  /// system without a card.
  ///
  /// A virtual camera that is an output while no program feeds it is always included. Its node
  /// remains, and a program that has it open may start to feed it at any time.
  public func usedDevices(in devices: [DeviceFacts]) -> [DeviceFacts] {
    let own = devices.filter { $0.subsystem == subsystem && $0.node != nil }
    let candidates = candidates(in: own)
    let waiting = own.filter { $0.isFed == false && $0.role == .output }
    // libcamera produces pictures from the data of these nodes.
    let raw = own.filter { $0.role == .pipeline || $0.role == .subdevice }
    return (candidates.isEmpty ? raw : candidates) + waiting
  }
}

extension DeviceKind {
  /// A Boolean value that indicates whether such a device serves one program at a time.
  ///
  /// If it does, its current users affect the answer.
  public var servesOneProgram: Bool { self == .camera || self == .microphone }
}

extension DeviceFacts {
  /// The number of the sound card that an ALSA node belongs to, such as 1 for `pcmC1D0c`.
  ///
  /// The value is `nil` for nodes without a card, such as the sequencer.
  package var soundCard: Int? {
    guard subsystem == "sound" else { return nil }
    let name = kernelName.drop { !$0.isUppercase }
    return name.first == "C" ? Int(name.dropFirst().prefix { $0.isNumber }) : nil
  }

  /// A Boolean value that indicates whether the device is an ALSA PCM device, which transfers
  /// sound.
  var isStream: Bool { subsystem == "sound" && kernelName.hasPrefix("pcm") }
}
