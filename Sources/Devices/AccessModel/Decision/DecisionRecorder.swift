/// A type that receives the result of every check that the engine makes.
///
/// The engine is generic over its recorder, so the same code computes a verdict, which records
/// nothing, and a decision, which records every step.
protocol DecisionRecorder {
  /// Records the result of a check on a node.
  ///
  /// `doubt` is the missing fact that makes the result uncertain, if any.
  mutating func record(
    _ kind: RecordedKind, node: Int32, wanted: Permissions, finding: Finding, doubt: MissingFact?)

  /// Records that a name does not exist, is too long, or may or may not exist.
  mutating func recordName(
    _ name: NameReference, in directory: Int32, isFinal: Bool, finding: Finding, doubt: MissingFact?
  )

  /// Records whether a name may be created in a directory.
  mutating func recordCreation(
    _ name: NameReference, in directory: Int32, finding: Finding, doubt: MissingFact?)
}

/// The purpose of a recorded check.
enum RecordedKind {
  case search
  case followLink
  case final
}

/// A recorder that discards every result at no cost.
struct NoRecorder: DecisionRecorder {
  @inline(__always)
  mutating func record(
    _ kind: RecordedKind, node: Int32, wanted: Permissions, finding: Finding, doubt: MissingFact?
  ) {}

  @inline(__always)
  mutating func recordCreation(
    _ name: NameReference, in directory: Int32, finding: Finding, doubt: MissingFact?
  ) {}

  @inline(__always)
  mutating func recordName(
    _ name: NameReference, in directory: Int32, isFinal: Bool, finding: Finding, doubt: MissingFact?
  ) {}
}
