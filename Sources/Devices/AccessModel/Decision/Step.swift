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
