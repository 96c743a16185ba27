/// What became of a change in the parts of one kind.
@usableFromInline enum PartOutcome: Sendable {
  /// It is no change of theirs.
  case other
  case applied
  /// It is a change of a part that is not there.
  case absent
}
