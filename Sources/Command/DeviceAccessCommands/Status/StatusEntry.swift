internal import AccessModel
internal import DevicePermissions

/// The status of one kind, or the reason why it could not be observed.
struct StatusEntry: Sendable {
  let kind: DeviceKind
  /// The answer; `nil` if nothing could be observed.
  var known: AnsweredFacts?
  /// The reason why nothing could be observed.
  var failure: CommandFailure?
}
