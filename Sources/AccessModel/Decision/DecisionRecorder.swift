/// Receives every check that the engine makes.
///
/// The engine is generic over it, so that a verdict, which records nothing, and a decision, which
/// records all, are the same code.
protocol DecisionRecorder {
  /// A check on a node came out; `doubt` is what kept it from coming out for certain.
  mutating func record(
    _ kind: RecordedKind, node: Int32, wanted: Permissions, finding: Finding, doubt: MissingFact?)

  /// A name does not exist, is too long, or cannot be told to exist.
  mutating func recordName(
    _ name: NameReference, in directory: Int32, isFinal: Bool, finding: Finding, doubt: MissingFact?
  )

  /// Whether a name may be created in a directory came out.
  mutating func recordCreation(
    _ name: NameReference, in directory: Int32, finding: Finding, doubt: MissingFact?)
}

/// What a recorded check was for.
enum RecordedKind {
  case search
  case followLink
  case final
}

/// Records nothing and costs nothing.
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
