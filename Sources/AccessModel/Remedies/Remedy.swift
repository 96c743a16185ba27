/// One way to fix a refusal, with the change that it makes to the facts.
///
/// A layer adds a remedy in its own folder, under the code of the cause: it states the exact
/// commands, and as ``Step/changes`` what these commands do to the facts, one ``FactsChange`` each. Nothing more is needed. `RemedyProver` then decides the question again
/// on the changed facts:
///
/// - it grants: the remedy is a fix, and what else it grants is computed (``gains``, ``losses``,
///   ``excess``);
/// - it still refuses: `RemedyPlanner` looks for the modes, lists, mounts and flags that are in
///   the way as well, and both become one sequence; where that does not help, the remedy is
///   dropped.
///
/// A remedy whose effect the facts cannot show has no changes and says in ``assumes`` what has to
/// hold, as something that a person can check; of fixes that last as long, it is printed after
/// those that are proven, with that clause. One that gives neither is not printed. What only looks and changes
/// nothing is a ``Lookup``. Permissions of nodes (modes, owners, groups, lists) need no remedy of
/// a layer: the planner finds them from the decision.
public struct Remedy: Hashable, Sendable {
  /// Who can carry it out.
  public enum Actor: String, Hashable, Sendable, Codable {
    /// The user, without privilege.
    case user
    /// Whoever administers the machine.
    case administrator
    /// Whoever starts or packages the program.
    case packager
    /// The program itself, by asking.
    case program
  }

  /// One step, by one person.
  public struct Step: Hashable, Sendable {
    /// Who can carry the step out.
    public var actor: Actor
    /// The commands to type into a shell, one each; empty when there is none.
    public var commands: [String]
    /// The options to start a container or a sandbox with: words for another tool's command line.
    public var options: [String]
    /// What the step does to the facts, in this order.
    public var changes: [FactsChange]
    /// The drop-ins that the commands write.
    var dropIns: [UnitDropIn] = []
    /// The service that the commands restart.
    var service: String?

    /// Creates a step; without changes, one whose effect the facts cannot show.
    public init(
      _ actor: Actor, commands: [String] = [], options: [String] = [],
      changes: [FactsChange] = []
    ) {
      self.actor = actor
      self.commands = commands
      self.options = options
      self.changes = changes
    }

    /// Whether nothing is to be done.
    var isEmpty: Bool { commands.isEmpty && options.isEmpty && changes.isEmpty }
  }

  /// What it does, as one imperative sentence without a full stop.
  public var title: String
  /// The steps, to be carried out in this order.
  public var steps: [Step]
  /// What it grants by its nature, also where the facts show no object of that kind, as one
  /// clause; `nil` when that is exactly what was asked for.
  public var scope: String?
  /// What must be restarted, replugged or logged in again for it to take effect, as one clause;
  /// `nil` when it works at once.
  public var takesEffect: String?
  /// The event that ends its effect.
  public var end: End
  /// Whether it is printed as *Until then*: narrower than the fix before it, which lasts longer.
  public var isInterim = false
  /// What has to hold for it to work that the facts do not show, as one clause; `nil` where the
  /// decision on the changed facts grants, which proves it.
  public var assumes: String?
  /// Whether all that it assumes is that a device policy lets the device pass, which every other fix
  /// of the refusal assumes as well.
  var assumesPolicyOnly = false
  /// The names of the groups that it makes, by the numbers that stand for theirs in ``changes``.
  var newGroups: [UInt32: String] = [:]
  /// Who else gains what by it, as far as the facts show.
  public var gains: [Gain] = []
  /// Who loses what by it, as far as the facts show.
  public var losses: [Gain] = []
  /// ``scope`` and ``gains`` as one clause; `nil` when it grants nothing beyond the need.
  public var excess: String?
  /// ``losses`` as one clause; `nil` when it takes nothing away.
  public var loss: String?

  /// A remedy of one step.
  ///
  /// - Parameters:
  ///   - title: What it does.
  ///   - commands: The commands to type into a shell.
  ///   - options: Words for another tool's command line.
  ///   - actor: Who can carry it out.
  ///   - changes: What it does to the facts.
  ///   - scope: What it grants by its nature.
  ///   - takesEffect: What has to be restarted first.
  ///   - end: The event that ends its effect.
  ///   - assumes: What the facts do not show; a remedy has this or changes.
  public init(
    _ title: String, commands: [String] = [], options: [String] = [], actor: Actor,
    changes: [FactsChange] = [], scope: String? = nil, takesEffect: String? = nil,
    until end: End = .never, assumes: String? = nil
  ) {
    self.init(
      title,
      steps: [Step(actor, commands: commands, options: options, changes: changes)],
      scope: scope, takesEffect: takesEffect, until: end, assumes: assumes)
  }

  /// A remedy of several steps.
  public init(
    _ title: String, steps: [Step], scope: String? = nil, takesEffect: String? = nil,
    until end: End = .never, assumes: String? = nil
  ) {
    self.title = title
    self.steps = steps
    self.scope = scope
    self.takesEffect = takesEffect
    self.end = end
    self.assumes = assumes
    excess = scope
  }

  /// The commands of every step.
  public var commands: [String] { steps.flatMap(\.commands) }
  /// The options of every step.
  public var options: [String] { steps.flatMap(\.options) }
  /// What all steps together do to the facts.
  public var changes: [FactsChange] { steps.flatMap(\.changes) }
  /// The duration as one clause that begins with "until"; `nil` when it stays.
  public var lasts: String? { end.clause }
  /// Whether the decision on the changed facts shows that it works.
  public var isProven: Bool { assumes == nil }

  /// Whether something has to hold for it that need not hold for other fixes of the refusal.
  var isConditional: Bool { assumes != nil && !assumesPolicyOnly }

  /// Who carries it out: the one who can do every step.
  public var actor: Actor {
    let actors = Set(steps.map(\.actor))
    if actors.contains(.administrator) { return .administrator }
    if actors.contains(.packager) { return .packager }
    return actors.contains(.user) ? .user : .program
  }

  /// Whether both are the same thing to do.
  func isLike(_ other: Remedy) -> Bool {
    let isSilent = commands.isEmpty && options.isEmpty
    guard commands == other.commands, options == other.options else { return false }
    return !isSilent || title == other.title || (!changes.isEmpty && changes == other.changes)
  }
}
