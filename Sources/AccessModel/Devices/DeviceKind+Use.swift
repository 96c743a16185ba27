extension DeviceKind {
  /// The devices whose users are meant when somebody asks who uses this kind: the candidates, and
  /// where a camera has only raw nodes, those.
  public func usedDevices(in devices: [DeviceFacts]) -> [DeviceFacts] {
    let candidates = candidates(in: devices)
    return candidates.isEmpty ? members(in: devices).filter { $0.node != nil } : candidates
  }
}

extension DeviceKind {
  /// Whether such a device serves one program at a time, so that its users bear on an answer.
  public var servesOneProgram: Bool { self == .camera || self == .microphone }
}

extension DeviceFacts {
  /// Whether it is a PCM device of ALSA, through which sound goes.
  var isStream: Bool { subsystem == "sound" && kernelName.hasPrefix("pcm") }
}
