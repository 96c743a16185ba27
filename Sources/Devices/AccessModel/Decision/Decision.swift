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

/// The outcome of a request or of one of its steps.
public enum Outcome: Hashable, Sendable {
  /// Every layer in the case allows the access; the driver can still return an error.
  case granted
  /// The access is denied, and the system call fails with this error.
  case denied(errno: Errno)
  /// The facts are not sufficient; the reason names the missing fact as one clause.
  case undecided(reason: String)
}

/// A check on the path or the object, with the facts that it used.
public struct Step: Hashable, Sendable {
  /// The action of a step.
  public enum Action: Hashable, Sendable {
    /// Looks up a name in the directory.
    case search
    /// Follows a symbolic link to its target.
    case followLink(target: String)
    /// Creates a file with the given name in the directory.
    case create(name: String)
    /// Checks the object itself.
    case final
  }

  /// The action: looking up a name, following a link, creating a file or checking the object.
  public var action: Action
  /// The canonical path of the node that was checked, or the path of a name that was not found.
  ///
  /// If the path as a whole was refused, this is the path of the request.
  public var path: String
  /// The node; `nil` if it does not exist.
  public var node: Node?
  /// The mount point of the mount that the node is on.
  public var mount: String?
  /// The permissions that the step requires.
  public var wanted: Permissions
  /// The outcome of the step; only the last step can be denied.
  public var outcome: Outcome
  /// The rule that decided this step.
  public var rule: Rule?
  /// The facts that the rule used, such as `the subject is in group 44, which has rw-`.
  ///
  /// Users and groups are numbers here, not names.
  public var note: String?

  /// Creates a step, which the engine does for each check.
  public init(
    _ action: Action, path: String, node: Node?, mount: String?, wanted: Permissions,
    outcome: Outcome, rule: Rule?, note: String? = nil
  ) {
    self.action = action
    self.path = path
    self.node = node
    self.mount = mount
    self.wanted = wanted
    self.outcome = outcome
    self.rule = rule
    self.note = note
  }
}

extension Step.Action {
  /// A Boolean value that indicates whether further steps can follow this action.
  package var isOnTheWay: Bool {
    switch self {
    case .search, .followLink: true
    case .create, .final: false
    }
  }
}

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
  /// For a name that does not exist, this is the directory. The value is `nil` if the decision
  /// involves no node.
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

/// The amount of detail in a decision and its explanation.
package enum ExplanationDetail: Sendable {
  /// The answer and its causes, with only the last step of each decision.
  ///
  /// The other parts take most of the time of a refusal.
  case brief
  /// Everything, including fixes, commands, evidence and all steps.
  case full
}
