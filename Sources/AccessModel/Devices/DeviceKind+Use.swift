extension DeviceKind {
  /// The devices whose users are meant when somebody asks who uses this kind: the candidates, and
  /// where a camera has only raw nodes, those.
  ///
  /// Other nodes of the subsystem are none of the kind, also where nothing else is there: a codec that
  /// converts pictures, an output, the sequencer of a sound system without a card.
  ///
  /// A virtual camera that is an output while nobody feeds it counts all the time: it does not come and
  /// go, and who has it open then may feed it in a moment.
  public func usedDevices(in devices: [DeviceFacts]) -> [DeviceFacts] {
    let own = devices.filter { $0.subsystem == subsystem && $0.node != nil }
    let candidates = candidates(in: own)
    let waiting = own.filter { $0.isFed == false && $0.role == .output }
    // libcamera makes pictures of what they deliver.
    let raw = own.filter { $0.role == .pipeline || $0.role == .subdevice }
    return (candidates.isEmpty ? raw : candidates) + waiting
  }
}

extension DeviceKind {
  /// Whether such a device serves one program at a time, so that its users bear on an answer.
  public var servesOneProgram: Bool { self == .camera || self == .microphone }
}

extension DeviceFacts {
  /// The number of the sound card that a node of ALSA belongs to, such as 1 of `pcmC1D0c`; `nil` for
  /// nodes of no card, such as the sequencer.
  package var soundCard: Int? {
    guard subsystem == "sound" else { return nil }
    let name = kernelName.drop { !$0.isUppercase }
    return name.first == "C" ? Int(name.dropFirst().prefix { $0.isNumber }) : nil
  }

  /// Whether it is a PCM device of ALSA, through which sound goes.
  var isStream: Bool { subsystem == "sound" && kernelName.hasPrefix("pcm") }
}
