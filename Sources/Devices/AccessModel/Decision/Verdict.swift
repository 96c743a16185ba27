/// The answer to a case without its steps.
///
/// A verdict has a small fixed size and needs no memory allocation.
public struct Verdict: Hashable, Sendable {
  /// The outcome of the request.
  public enum Outcome: Hashable, Sendable {
    /// Every layer in the case allows the access.
    case granted
    /// The access is denied, and the system call fails with this error.
    case denied(errno: Errno)
    /// The facts are not sufficient.
    case undecided(MissingFact)
  }

  /// The outcome of the request, without a textual reason.
  public var outcome: Outcome
  /// The rule that decided; `nil` if the request is undecided.
  public var rule: Rule?
  /// The index in ``AccessCase/nodes`` of the node at which the request was decided.
  ///
  /// For a name that does not exist, this is the directory. The value is `nil` if no node is
  /// concerned.
  public var node: Int?
  /// The index of the access control list entry that decided.
  public var entry: Int?
  /// A Boolean value that indicates whether several group entries match, but none has all requested
  /// permissions.
  public var allMatchingGroupsLack: Bool
  /// The permissions that the deciding check required.
  public var wanted: Permissions
  /// The missing or overlong name, if it decided the request.
  var name: NameReference?

  /// A Boolean value that indicates whether access is certainly granted; `false` if it is
  /// undecided.
  public var isGranted: Bool { outcome == .granted }
}
