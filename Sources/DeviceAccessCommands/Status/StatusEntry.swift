internal import AccessModel

/// One permission of the status: its answer, or why nothing could be observed.
struct StatusEntry: Sendable {
  let kind: DeviceKind
  /// What is known; `nil` if nothing could be observed.
  var known: ExplainedFacts?
  /// Why nothing could be observed.
  var failure: CommandFailure?
}
