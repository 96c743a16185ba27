/// One way to fix a refusal, including the changes that it makes to the facts.
///
/// A layer adds a remedy in its own folder, under the code of the cause. The remedy contains the
/// exact commands and, in ``Step/changes``, their effect on the facts, one ``FactsChange`` each.
/// `RemedyProver` then decides the question again on the changed facts:
///
/// - If the decision grants access, the remedy is a fix. The prover then computes the additional
///   access that the remedy grants or removes (``gains``, ``losses``, ``excess``).
/// - If the decision still refuses access, `RemedyPlanner` searches for the other modes, ACLs,
///   mounts and flags that refuse access, and combines both into one sequence. If that does not
///   help, the remedy is dropped.
///
/// A remedy whose effect the facts cannot show has no changes. Instead, ``assumes`` states the
/// condition under which it works, in a form that the user can check. Among fixes that last equally
/// long, such a remedy is printed after the proven ones, together with its condition. A remedy that
/// always works but can do harm has a ``caution``. A remedy without changes, assumption and caution
/// is not printed. A command that only inspects the system is a ``Lookup``.
///
/// Layers need no remedies for the permissions of nodes (modes, owners, groups and ACLs), because
/// the planner derives them from the decision.
public struct Remedy: Hashable, Sendable {
  /// The person or program that can carry out a remedy.
  public enum Actor: String, Hashable, Sendable, Codable {
    /// The user, without privileges.
    case user
    /// The administrator of the machine.
    case administrator
    /// The person who starts or packages the program.
    case packager
    /// The program itself, by changing its request.
    case program
  }

  /// One step of a remedy, carried out by one actor.
  public struct Step: Hashable, Sendable {
    /// The person or program that can carry out the step.
    public var actor: Actor
    /// The commands to type into a shell, one per element.
    public var commands: [String]
    /// Options to add to another command line or configuration, such as a container's.
    public var options: [String]
    /// The changes that the step makes to the facts, in order.
    public var changes: [FactsChange]
    /// The drop-ins that the commands write.
    var dropIns: [UnitDropIn] = []
    /// The service that the commands restart; `nil` if they restart none.
    var service: String?

    /// Creates a step.
    ///
    /// A step without changes has an effect that the facts cannot show.
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

  /// The title, as an imperative sentence without a full stop.
  public var title: String
  /// The steps in the order of execution.
  public var steps: [Step]
  /// The additional access that the remedy always grants; `nil` if it grants only the requested
  /// access.
  ///
  /// The additional access is granted even if the facts contain no object that it applies to. The
  /// value is a noun phrase that completes *This also gives*, such as `access to every USB device`.
  public var scope: String?
  /// A clause for the restart, replug or login after which the remedy takes effect.
  ///
  /// The value is `nil` if the remedy takes effect immediately.
  public var takesEffect: String?
  /// The event that ends the effect of the remedy.
  public var end: End
  /// A Boolean value that indicates whether the remedy is printed as *Until then*.
  ///
  /// Such a remedy is narrower than the fix before it, which lasts longer but does not work at
  /// once.
  public var isInterim = false
  /// A clause for the condition under which the remedy works, if the facts do not show the
  /// condition.
  ///
  /// The clause completes *This works only if*. The value is `nil` if the decision on the changed
  /// facts grants access, which proves the remedy.
  public var assumes: String?
  /// A clause for the condition under which the remedy does no harm.
  ///
  /// The remedy works in any case. The clause completes *Do this only if*, such as `nothing else
  /// needs brltty.service`.
  public var caution: String?
  /// A Boolean value that indicates whether the only assumption is that a device policy allows the
  /// device.
  ///
  /// All other fixes of the refusal have the same assumption.
  var assumesPolicyOnly = false
  /// The names of the groups that the remedy creates, keyed by their placeholder IDs in
  /// ``changes``.
  var newGroups: [UInt32: String] = [:]
  /// The additional access that the remedy grants, according to the facts.
  public var gains: [Gain] = []
  /// The access that the remedy removes, according to the facts.
  public var losses: [Gain] = []
  /// A phrase for ``scope`` and ``gains`` that completes *This also gives*.
  ///
  /// The value is `nil` if the remedy grants only what is needed.
  public var excess: String?
  /// A phrase for ``losses`` that completes *This removes*; `nil` if the remedy removes no access.
  public var loss: String?

  /// Creates a remedy with one step.
  ///
  /// - Parameters:
  ///   - title: The title, as an imperative sentence without a full stop.
  ///   - commands: The commands to type into a shell.
  ///   - options: Options to add to another command line or configuration.
  ///   - actor: The person or program that can carry out the remedy.
  ///   - changes: The changes that the remedy makes to the facts.
  ///   - scope: The additional access that the remedy always grants.
  ///   - takesEffect: The restart, replug or login after which the remedy takes effect.
  ///   - end: The event that ends the effect of the remedy.
  ///   - assumes: The condition under which the remedy works, if the facts do not show the
  ///     condition.
  ///   - caution: The condition under which the remedy does no harm.
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

  /// Creates a remedy with several steps.
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

  /// The commands of all steps.
  public var commands: [String] { steps.flatMap(\.commands) }
  /// The options of all steps.
  public var options: [String] { steps.flatMap(\.options) }
  /// The changes that all steps together make to the facts.
  public var changes: [FactsChange] { steps.flatMap(\.changes) }
  /// The duration, as a clause that starts with "until"; `nil` if the effect is permanent.
  public var lasts: String? { end.clause }
  /// A Boolean value that indicates whether the remedy is proven to work and needs no caution.
  public var isProven: Bool { assumes == nil && caution == nil }

  /// A Boolean value that indicates whether the remedy has a condition that other fixes do not
  /// have.
  var isConditional: Bool { caution != nil || (assumes != nil && !assumesPolicyOnly) }

  /// The remedy without its changes, for use if its effect cannot be derived from the facts.
  var withoutChanges: Remedy {
    var remedy = self
    for index in remedy.steps.indices { remedy.steps[index].changes = [] }
    return remedy
  }

  /// Combines two conditions into a clause that completes *only if*.
  static func both(_ first: String?, _ second: String?) -> String? {
    joined(first, second, by: " and if ")
  }

  /// Returns the commands that add an entry to the ACL of a directory now and at every boot
  /// (tmpfiles.d(5)).
  ///
  /// - Parameters:
  ///   - directory: The path, which needs no quoting.
  ///   - entry: The entry, such as `u:1000:x`.
  ///   - file: The name of the file in `/etc/tmpfiles.d`, without its suffix.
  /// - Returns: The commands.
  static func bootEntryCommands(_ directory: String, _ entry: String, file: String) -> [String] {
    let file = "/etc/tmpfiles.d/\(file).conf"
    return [
      // The file may already have a line for another user.
      "echo 'a+ \(directory) - - - - \(entry)' >> \(file)", "systemd-tmpfiles --create \(file)",
    ]
  }

  /// The caution of a fix that ends a program.
  static let savedWork = "all work in the program has been saved"

  /// Combines two clauses with a word between them; equal clauses are not repeated.
  static func joined(_ first: String?, _ second: String?, by word: String) -> String? {
    guard let first else { return second }
    guard let second else { return first }
    // A condition of several remedies is stated once.
    let known = first.split(separator: word)
    let new = second.split(separator: word).filter { !known.contains($0) }
    return new.reduce(first) { $0 + word + $1 }
  }

  /// The actor who can carry out all steps.
  public var actor: Actor {
    let actors = Set(steps.map(\.actor))
    if actors.contains(.administrator) { return .administrator }
    if actors.contains(.packager) { return .packager }
    return actors.contains(.user) ? .user : .program
  }

  /// Returns whether two remedies ask for the same action.
  func isLike(_ other: Remedy) -> Bool {
    let isSilent = commands.isEmpty && options.isEmpty
    guard commands == other.commands, options == other.options else { return false }
    return !isSilent || title == other.title || (!changes.isEmpty && changes == other.changes)
  }
}

extension Remedy {
  /// Returns the remedy for a shell outside the subject's root directory.
  ///
  /// Outside, paths in the commands start with the directory from `RootDirectory=`, except for the
  /// machine's own `/dev`, which systemd shows in the service.
  func outside(of root: String, _ access: AccessCase) -> Remedy {
    var remedy = self
    for index in remedy.steps.indices {
      let places = remedy.steps[index].changes.compactMap(\.place).filter { place in
        let mount = access.mount(of: place)?.at
        return mount != "/dev" && mount?.hasPrefix("/dev/") != true
      }
      remedy.steps[index].commands = remedy.steps[index].commands.map { command in
        for place in places where command.hasSuffix(" " + place.shellQuoted) {
          return command.dropLast(place.shellQuoted.count) + (root + place).shellQuoted
        }
        return command
      }
    }
    return remedy
  }
}

/// Commands that show more about a cause and change nothing.
public struct Lookup: Hashable, Sendable {
  /// The purpose of the commands, as an imperative sentence without a full stop.
  public var title: String
  /// The exact commands, one per element.
  public var commands: [String]
  /// A Boolean value that indicates whether the commands require an administrator.
  public var isPrivileged: Bool

  /// Creates a look-up, which by default requires no privileges.
  public init(_ title: String, commands: [String], isPrivileged: Bool = false) {
    self.title = title
    self.commands = commands
    self.isPrivileged = isPrivileged
  }
}
