/// One check on the way to the object, with what it looked at.
public struct Step: Hashable, Sendable {
  /// What a step does.
  public enum Action: Hashable, Sendable {
    /// Looks a name up in the directory.
    case search
    /// Goes on at a symbolic link's target.
    case followLink(target: String)
    /// Creates a file of that name in the directory.
    case create(name: String)
    /// Checks the object itself.
    case final
  }

  /// What the step did: looked a name up, followed a link, created a file or checked the object.
  public var action: Action
  /// The canonical path of the node that was looked at.
  public var path: String
  /// The node; `nil` when there is none.
  public var node: Node?
  /// The mount point of the mount that the node is on.
  public var mount: String?
  /// The permissions that the step needs.
  public var wanted: Permissions
  /// How the step came out; only the last one can be a refusal.
  public var outcome: Outcome
  /// The rule that decided this step.
  public var rule: Rule?
  /// What the rule saw, such as `group video (44) has rw-, and the subject is not in it`; names
  /// are not resolved here.
  public var note: String?

  /// Creates a step, as the engine does for each check.
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
  /// Whether the walk goes on after it.
  package var isOnTheWay: Bool {
    switch self {
    case .search, .followLink: true
    case .create, .final: false
    }
  }
}
