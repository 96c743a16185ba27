/// The answer to a case without its steps: a value of a few words that costs no allocation.
public struct Verdict: Hashable, Sendable {
  /// How the question came out.
  public enum Outcome: Hashable, Sendable {
    /// Every layer that the case holds allows it.
    case granted
    /// Refused, with the error number that the system call gives.
    case denied(errno: Errno)
    /// The facts do not suffice.
    case undecided(MissingFact)
  }

  /// How the question came out, without the text of a reason.
  public var outcome: Outcome
  /// The rule that decided; `nil` when nothing could be decided.
  public var rule: Rule?
  /// The index in ``AccessCase/nodes`` of the node where it was decided.
  ///
  /// For a name that does not exist it is the directory that does not have it; `nil` when there
  /// is no node at all.
  public var node: Int?
  /// The index of the access control list entry that decided.
  public var entry: Int?
  /// Whether several group entries matched and none holds all that was asked for.
  public var allMatchingGroupsLack: Bool
  /// The permissions that the deciding check needed.
  public var wanted: Permissions
  /// The missing or overlong name, when that decided.
  var name: NameReference?

  /// Whether access is certainly granted; `false` for an undecided case.
  public var isGranted: Bool { outcome == .granted }
}
