/// The directory in which programs mark a serial port as used.
extension AccessFacts {
  /// The directory in which programs create lock files (usually `_PATH_LOCKD`; FHS 3.0, section
  /// 5.9).
  package static let lockDirectory = "/var/lock"

  /// Returns the cause and the remedies if the subject may use the port but not the lock directory.
  func refusedLock(of chosen: Assessment) -> (cause: Cause, remedies: [Remedy])? {
    guard let device = chosen.device, device.subsystem == DeviceKind.serial.subsystem,
      access.object(at: Self.lockDirectory)?.type == .directory
    else { return nil }
    var facts = self
    facts.kind = nil
    facts.attempts = []
    facts.access.request = .access(
      path: Self.lockDirectory, mode: [.write, .search], effective: true, noFollow: false)
    let assessment = Assessment(facts, access: facts.access, device: nil, checks: [])
    guard case .refused = assessment.verdict else { return nil }
    let cause = Layers(assessment).use.lockCause(of: device.node ?? chosen.access.request.path)
    return (cause, AdviceWriter(assessment).advice(for: [cause]).remedies)
  }
}
