internal import AccessModel
internal import LinuxDevices

/// The users of the requested devices.
struct UsersAnswer: Sendable {
  let facts: UseFacts
  let targets: [Question.Target]
  /// The errors for devices that could not be inspected.
  var failures: [DeviceError] = []
  /// A Boolean value that indicates whether the default kinds are shown.
  ///
  /// If so, a kind without devices is not a failure.
  var isUsual = false

  /// The requested kinds that have no device.
  var absentKinds: [DeviceKind] {
    targets.compactMap { target in
      guard case .kind(let kind) = target else { return nil }
      return facts.devices.contains { $0.kind == kind.name } ? nil : kind
    }
  }

  /// The highest exit status of the devices, the kinds and the failures.
  var status: ExitStatus {
    failures.map { CommandFailure($0).status }.reduce(statusOfFacts, max)
  }

  private var statusOfFacts: ExitStatus {
    let isAbsent = isUsual ? facts.devices.isEmpty : !absentKinds.isEmpty
    if isAbsent { return .absent }
    return facts.devices.contains { facts.state(of: $0) == .unknown } ? .undetermined : .allowed
  }
}
