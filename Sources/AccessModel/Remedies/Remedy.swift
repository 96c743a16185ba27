/// One way to fix a refusal, with the change that it makes to the facts.
///
/// A layer adds a remedy in its own folder, under the code of the cause. The remedy states the
/// exact commands and, in ``Step/changes``, their effect on the facts, one ``FactsChange`` each.
/// `RemedyProver` then decides the question again on the changed facts:
///
/// - If the decision grants access, the remedy is a fix. The prover then computes what else the
///   remedy grants or takes away (``gains``, ``losses``, ``excess``).
/// - If the decision still refuses access, `RemedyPlanner` searches for the other modes, lists,
///   mounts and flags that refuse it, and combines both into one sequence. If that does not help,
///   the remedy is dropped.
///
/// A remedy whose effect the facts cannot show has no changes. It states in ``assumes`` the
/// condition that it needs, in a form that the user can check. Among fixes that last equally long,
/// it is printed after the proven ones, together with that clause. A remedy that works in any case
/// but can do harm states a ``caution`` instead. A remedy with no changes, no assumption and no
/// caution is not printed. A command that only inspects the system is a ``Lookup``.
/// Layers need no remedies for the permissions of nodes (modes, owners, groups, lists): the planner
/// derives them from the decision.
public struct Remedy: Hashable, Sendable {
  /// The person or program that can carry out a remedy.
  public enum Actor: String, Hashable, Sendable, Codable {
    /// The user, without privilege.
    case user
    /// The administrator of the machine.
    case administrator
    /// The person who starts or packages the program.
    case packager
    /// The program itself, by asking for access.
    case program
  }

  /// One step of a remedy, carried out by one actor.
  public struct Step: Hashable, Sendable {
    /// The person or program that can carry out the step.
    public var actor: Actor
    /// The commands to type into a shell, one each; empty if the step has none.
    public var commands: [String]
    /// The options for starting a container or a sandbox, to add to another tool's command line.
    public var options: [String]
    /// The changes that the step makes to the facts, in order.
    public var changes: [FactsChange]
    /// The drop-ins that the commands write.
    var dropIns: [UnitDropIn] = []
    /// The service that the commands restart.
    var service: String?

    /// Creates a step; a step without changes has an effect that the facts cannot show.
    public init(
      _ actor: Actor, commands: [String] = [], options: [String] = [],
      changes: [FactsChange] = []
    ) {
      self.actor = actor
      self.commands = commands
      self.options = options
      self.changes = changes
    }

    /// A Boolean value that indicates whether the step does nothing.
    var isEmpty: Bool { commands.isEmpty && options.isEmpty && changes.isEmpty }
  }

  /// The title, as one imperative sentence without a full stop.
  public var title: String
  /// The steps, in order of execution.
  public var steps: [Step]
  /// The access that the remedy always grants, even if the facts show no such object; `nil` if it
  /// grants only the requested access.
  ///
  /// It is a noun phrase that completes *This also gives*, such as `access to every USB device`.
  public var scope: String?
  /// The restart, replug or login that the remedy needs before it takes effect, as one clause;
  /// `nil` if it takes effect immediately.
  public var takesEffect: String?
  /// The event that ends the effect of the remedy.
  public var end: End
  /// A Boolean value that indicates whether the remedy is printed as *Until then*.
  ///
  /// Such a remedy is narrower than the fix before it, which lasts longer and does not work at once.
  public var isInterim = false
  /// The condition that the remedy needs and the facts do not show, as one clause.
  ///
  /// It is `nil` if the decision on the changed facts grants access, which proves the remedy.
  /// It completes *This works only if*.
  public var assumes: String?
  /// The condition that makes the remedy harmless, as one clause.
  ///
  /// The remedy works in any case. The clause completes *Do this only if*, such as `nothing else
  /// needs brltty.service`.
  public var caution: String?
  /// A Boolean value that indicates whether the remedy only assumes that a device policy allows
  /// the device, as every other fix of the refusal does.
  var assumesPolicyOnly = false
  /// The names of the groups that the remedy creates, by their placeholder numbers in ``changes``.
  var newGroups: [UInt32: String] = [:]
  /// The additional access that subjects gain through the remedy, according to the facts.
  public var gains: [Gain] = []
  /// The access that subjects lose through the remedy, according to the facts.
  public var losses: [Gain] = []
  /// ``scope`` and ``gains`` as one phrase that completes *This also gives*; `nil` if the remedy
  /// grants only what is needed.
  public var excess: String?
  /// ``losses`` as one phrase that completes *This removes*; `nil` if the remedy removes nothing.
  public var loss: String?

  /// Creates a remedy of one step.
  ///
  /// - Parameters:
  ///   - title: The title, as one imperative sentence without a full stop.
  ///   - commands: The commands to type into a shell.
  ///   - options: Options for another tool's command line.
  ///   - actor: The person or program that can carry out the remedy.
  ///   - changes: The changes that the remedy makes to the facts.
  ///   - scope: The access that the remedy always grants.
  ///   - takesEffect: The restart, replug or login that the remedy needs first.
  ///   - end: The event that ends the effect of the remedy.
  ///   - assumes: The condition that the facts do not show; a remedy has an assumption or changes.
  ///   - caution: The condition that makes the remedy harmless.
  public init(
    _ title: String, commands: [String] = [], options: [String] = [], actor: Actor,
    changes: [FactsChange] = [], scope: String? = nil, takesEffect: String? = nil,
    until end: End = .never, assumes: String? = nil, caution: String? = nil
  ) {
    self.init(
      title,
      steps: [Step(actor, commands: commands, options: options, changes: changes)],
      scope: scope, takesEffect: takesEffect, until: end, assumes: assumes, caution: caution)
  }

  /// Creates a remedy of several steps.
  public init(
    _ title: String, steps: [Step], scope: String? = nil, takesEffect: String? = nil,
    until end: End = .never, assumes: String? = nil, caution: String? = nil
  ) {
    self.title = title
    self.steps = steps
    self.scope = scope
    self.takesEffect = takesEffect
    self.end = end
    self.assumes = assumes
    self.caution = caution
    excess = scope
  }

  /// The commands of every step.
  public var commands: [String] { steps.flatMap(\.commands) }
  /// The options of every step.
  public var options: [String] { steps.flatMap(\.options) }
  /// The changes that all steps together make to the facts.
  public var changes: [FactsChange] { steps.flatMap(\.changes) }
  /// The duration as one clause that begins with "until"; `nil` if the effect is permanent.
  public var lasts: String? { end.clause }
  /// A Boolean value that indicates whether the decision on the changed facts proves the remedy,
  /// which needs no caution.
  public var isProven: Bool { assumes == nil && caution == nil }

  /// A Boolean value that indicates whether the remedy needs a condition or a caution that other
  /// fixes do not.
  var isConditional: Bool { caution != nil || (assumes != nil && !assumesPolicyOnly) }

  /// The same fix without its changes, for a fix whose effect cannot be derived from the facts.
  var withoutChanges: Remedy {
    var remedy = self
    for index in remedy.steps.indices { remedy.steps[index].changes = [] }
    return remedy
  }

  /// Returns the commands that load a module now and at every boot.
  static func loading(_ module: String) -> [String] {
    let file = "/etc/modules-load.d/devaccess-\(module).conf"
    return ["modprobe \(module.shellQuoted)", "echo \(module.shellQuoted) > \(file.shellQuoted)"]
  }

  /// Returns two conditions as one clause that completes *only if*.
  static func both(_ first: String?, _ second: String?) -> String? {
    joined(first, second, by: " and if ")
  }

  /// Returns two clauses as one; a clause that is given twice is kept once.
  static func joined(_ first: String?, _ second: String?, by word: String) -> String? {
    guard let first else { return second }
    guard let second, second != first else { return first }
    return first + word + second
  }

  /// The actor who can carry out every step.
  public var actor: Actor {
    let actors = Set(steps.map(\.actor))
    if actors.contains(.administrator) { return .administrator }
    if actors.contains(.packager) { return .packager }
    return actors.contains(.user) ? .user : .program
  }

  /// Returns a Boolean value that indicates whether two remedies ask for the same action.
  func isLike(_ other: Remedy) -> Bool {
    let isSilent = commands.isEmpty && options.isEmpty
    guard commands == other.commands, options == other.options else { return false }
    return !isSilent || title == other.title || (!changes.isEmpty && changes == other.changes)
  }
}
