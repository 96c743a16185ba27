/// The answer to a case: the outcome, the rule that decided, and every step.
///
/// <doc:KernelRules> describes the order of the steps.
public struct Decision: Hashable, Sendable {
  /// The outcome of the request: the outcome of the last step, unless an earlier step was
  /// undecided.
  public var outcome: Outcome
  /// The rule that decided; `nil` if the case is undecided.
  public var rule: Rule?
  /// The canonical path of the node at which the case was decided.
  ///
  /// If a search was denied, this is the directory.
  public var at: String?
  /// The index of the access control list entry that decided.
  public var entry: Int?
  /// A Boolean value that indicates whether several group entries matched, and none has all
  /// requested permissions.
  public var allMatchingGroupsLack = false
  /// The checks in chronological order; the last one decided.
  public var steps: [Step] = []
  /// For a grant, every rule that would have been sufficient by itself at the object.
  public var grounds: [Rule] = []

  /// Creates a decision without steps or grounds.
  public init(outcome: Outcome, rule: Rule?, at: String?) {
    self.outcome = outcome
    self.rule = rule
    self.at = at
  }

  /// A Boolean value that indicates whether access is certainly granted; `false` if it is
  /// undecided.
  public var isGranted: Bool { outcome == .granted }
}

extension Decision {
  /// Returns the error of a request that creates a file where only the kernel creates files; `nil`
  /// for any other request.
  func creationError(_ access: AccessCase) -> Errno? {
    guard let step = steps.last, case .create = step.action else { return nil }
    return access.mounts.last { $0.at == step.mount }?.creationError
  }
}
