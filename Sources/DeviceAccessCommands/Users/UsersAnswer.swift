internal import AccessModel
internal import LinuxDevices

/// The answer to the question who uses devices.
struct UsersAnswer: Sendable {
  let facts: UseFacts
  let targets: [Question.Target]
  /// Why some of the devices could not be looked at.
  var failures: [DeviceError] = []
  /// Whether nothing was named, so that a kind without devices is no failure.
  var isUsual = false

  /// The kinds in question that have no device.
  var absentKinds: [DeviceKind] {
    targets.compactMap { target in
      guard case .kind(let kind) = target else { return nil }
      return facts.devices.contains { $0.kind == kind.name } ? nil : kind
    }
  }

  /// The greatest of what each device and kind comes to.
  var status: ExitStatus {
    failures.map { CommandFailure($0).status }.reduce(statusOfFacts, max)
  }

  private var statusOfFacts: ExitStatus {
    let isAbsent = isUsual ? facts.devices.isEmpty : !absentKinds.isEmpty
    if isAbsent { return .absent }
    return facts.devices.contains { facts.state(of: $0) == .unknown } ? .undetermined : .allowed
  }
}
