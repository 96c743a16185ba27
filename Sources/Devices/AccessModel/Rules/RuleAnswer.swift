public import UdevRules

/// The effects of udev's rules on a device, with the reasons why rules have no effect.
public struct RuleAnswer: Hashable, Sendable {
  /// A line that has, or may have, an effect on the device.
  public struct Line: Hashable, Sendable {
    /// The place of the line.
    public let place: UdevRulePlace
    /// The reasons why it is unknown whether the line takes effect; empty if it certainly does.
    public let doubts: [UdevRuleDoubt]
    /// The effects of the line.
    public let effects: [UdevRuleEffect]
  }

  /// The action of the event, such as `add`.
  public let action: String
  /// The prediction of how udevd handles the event; `nil` if the node has no device.
  public let report: UdevRuleReport?
  /// The lines that have, or may have, an effect on the device, in the order of the rules.
  public let lines: [Line]
  /// The verdicts for the requested lines.
  public let verdicts: [RuleVerdict]
  /// The reasons why something differs from the rules; those about the device precede those about
  /// files.
  public let findings: [RuleFinding]
  /// The lines that are meant for the device but have had no effect on it, in order of relevance.
  ///
  /// It is empty if a line was requested.
  public let ineffective: [RuleVerdict]
  /// The nearest rule for another model of the same vendor.
  let sibling: IneffectiveRules.Sibling?
  /// The index of the deciding effect for each subject.
  private let deciders: [UdevRuleEffect.Subject: Int]

  /// Applies the rules, and finds the reasons why some have no effect.
  ///
  /// - Parameters:
  ///   - facts: The rules and the device.
  ///   - node: The current state of the node; `nil` if it was not observed.
  ///   - action: The action of the event, such as `add`.
  ///   - rule: A file, or one line of it, that should take effect.
  public init(
    _ facts: RuleFacts, node: Node?, action: String = "add", rule: RuleReference? = nil
  ) {
    let tags = facts.record.map { $0.currentTags ?? $0.tags }
    self.init(facts, node: node, action: action, rule: rule, tags: tags, others: [])
  }

  /// Creates an answer, given the tags of the device and the names of other devices.
  init(
    _ facts: RuleFacts, node: Node?, action: String, rule: RuleReference?,
    tags: Set<UdevRuleText>?, others: Set<UdevRuleText>
  ) {
    self.action = action
    let report = facts.report(action)
    self.report = report
    lines = report.map(Self.lines) ?? []
    var deciders: [UdevRuleEffect.Subject: Int] = [:]
    for (index, effect) in (report?.effects ?? []).enumerated()
    where effect.overwritten == nil && effect.fixed == nil && effect.value != nil {
      deciders[effect.subject] = index
    }
    self.deciders = deciders
    let search = RuleSearch(facts: facts, report: report, action: action)
    let (verdicts, ofFile) = rule.map(search.answer) ?? ([], [])
    let review = RuleReview(facts: facts, node: node, report: report, action: action)
    let reported = rule.map { rule in verdicts.map { review.afterLastEvent($0, rule) } } ?? []
    self.verdicts = reported
    let isEffective = rule == nil || reported.contains { $0.effect != .ineffective }
    findings = ofFile + review.findings(concerning: rule, isEffective: isEffective)
    let result =
      rule == nil
      ? IneffectiveRules(search: search, review: review, tags: tags, others: others).result()
      : IneffectiveRules.Result()
    ineffective = result.verdicts
    sibling = result.sibling
  }

  private static func lines(_ report: UdevRuleReport) -> [Line] {
    var effects: [UdevRulePlace: [UdevRuleEffect]] = [:]
    for effect in report.effects { effects[effect.place, default: []].append(effect) }
    return report.outcomes.compactMap { outcome in
      guard let effects = effects[outcome.place] else { return nil }
      var doubts: [UdevRuleDoubt] = []
      if case .undetermined(let reasons) = outcome.verdict { doubts = reasons }
      return Line(place: outcome.place, doubts: doubts, effects: effects)
    }
  }

  /// Returns the deciding effect for a subject; `nil` if no line sets the subject.
  public func deciding(_ subject: UdevRuleEffect.Subject) -> UdevRuleEffect? {
    deciders[subject].flatMap { report?.effects[$0] }
  }

  /// A Boolean value that indicates whether a line will take effect only at the next event; `nil`
  /// if unknown.
  public var isPending: Bool? {
    let pending: Set<RuleFinding.Code> = [
      .noDaemon, .notHandled, .noEventSince, .changedAfterwards,
    ]
    let reasons = findings.filter { pending.contains($0.code) }
    if reasons.isEmpty { return false }
    return reasons.contains(where: \.isCertain) ? true : nil
  }

  /// The effect of the requested lines; `nil` if none was requested.
  ///
  /// If any of them takes effect, the result is ``RuleVerdict/Effect/effective``.
  public var effect: RuleVerdict.Effect? {
    if verdicts.isEmpty { return nil }
    let effects = Set(verdicts.map(\.effect))
    if effects.contains(.effective) { return .effective }
    return effects.contains(.undetermined) ? .undetermined : .ineffective
  }
}

/// A reference to a rules file, or to one line of it.
public struct RuleReference: Hashable, Sendable {
  /// The path of the file, or only its name.
  public var file: String
  /// The number of the line, counted from 1; `nil` for all lines.
  public var line: Int?

  /// Creates a reference to a file, or to one line of it.
  public init(file: String, line: Int? = nil) {
    self.file = file
    self.line = line
  }

  /// Returns the file in the facts; `nil` if they do not contain it.
  public func file(in facts: RuleFacts) -> RuleFile? {
    if file.utf8.contains(UInt8(ascii: "/")) {
      // If `/lib` is a link to `/usr/lib`, the facts contain only the other path.
      return facts.file(at: file)
        ?? (file.hasPrefix("/lib/") ? facts.file(at: "/usr" + file) : nil)
    }
    return facts.files.first { $0.name == file }
  }
}

/// The verdict for one line of the requested file.
public struct RuleVerdict: Hashable, Sendable {
  /// The effect of the line on the device.
  public enum Effect: String, Hashable, Sendable, Codable {
    /// The line takes effect.
    case effective
    /// The line has no effect, or only some of its parts do.
    case ineffective
    /// The effect depends on an unknown fact.
    case undetermined
  }

  /// The first match that does not hold.
  public struct Mismatch: Hashable, Sendable {
    /// The match, such as `ATTRS{idVendor}=="046d"`; it might not be safe to print.
    public let match: String
    /// The value that was found; `nil` if there is none.
    public let found: String?
    /// The path in sysfs of the device that comes closest to a match.
    public let device: String
    /// A Boolean value that indicates whether that device is a parent of the requested one.
    public let isParent: Bool
    /// The match rewritten with a value of the device or a parent, so that it holds; `nil` if no
    /// such value is known.
    public let matching: String?
  }

  /// The place of the line.
  public let place: UdevRulePlace
  /// The text of the line, with continued lines joined; it might not be safe to print.
  public let text: String
  /// The effect of the line on the device.
  public let effect: Effect
  /// The first match that does not hold.
  public let mismatch: Mismatch?
  /// A Boolean value that indicates whether some parts of an ineffective line take effect.
  public internal(set) var isPartial = false
  /// The reason why the line has no effect, with a fix if one is known.
  public internal(set) var finding: RuleFinding?
}

/// A reason why a rule has no effect, or why a node differs from the rules.
public struct RuleFinding: Hashable, Sendable {
  /// The kind of finding, as part of a closed vocabulary.
  public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
    /// No daemon that applies rules is running.
    case noDaemon = "no_daemon"
    /// The daemon has not handled the device.
    case notHandled = "not_handled"
    /// A rules file was modified after the daemon last handled the device.
    case noEventSince = "no_event_since"
    /// The node differs from the result of the rules.
    case changedAfterwards = "changed_afterwards"
    /// The node has no device, so there are no events for it.
    case staticNode = "static_node"
    /// The file is not in a folder that udevd reads.
    case wrongFolder = "wrong_folder"
    /// The name of the file does not end in `.rules`.
    case wrongName = "wrong_name"
    /// An empty file, or a link to `/dev/null`, with the same name hides the file.
    case masked
    /// A file with the same name, in a folder that takes precedence, replaces the file.
    case replaced
    /// The file is empty, or is not a regular file.
    case noRules = "no_rules"
    /// The file could not be read as udevd reads it.
    case unreadable
    /// udevd ignores the line or a part of it.
    case invalid
    /// A match does not hold.
    case mismatch
    /// The `GOTO` of another line skips the line.
    case skipped
    /// The match would hold only after a later line.
    case tooEarly = "too_early"
    /// The tag is set after the line that gives tagged devices to the user of the seat.
    case tooLate = "too_late"
    /// A later line sets another value.
    case overwritten
    /// An earlier line made the value final with `:=`.
    case fixedBefore = "fixed_before"
    /// The line sets a value that this device does not have.
    case irrelevant
    /// A user or group that the line names does not exist.
    case noSuchName = "no_such_name"
    /// udevd ignores a user or group that the line names, because it is not a system account.
    case ordinaryAccount = "ordinary_account"
    /// udevd does not find the program that the line runs.
    case missingProgram = "missing_program"
    /// The effect depends on an unknown fact.
    case undetermined
  }

  /// The kind of finding.
  public let code: Code
  /// The line that the finding is about, or the first line of the file; `nil` if it is about
  /// neither.
  public let place: UdevRulePlace?
  /// The finding as one sentence, with the specific names and values.
  public let summary: String
  /// The fix; `nil` if none is known.
  public var fix: RuleFix?
  /// A Boolean value that indicates whether the finding is certain, rather than merely possible
  /// because something was not observed.
  package let isCertain: Bool

  init(
    _ code: Code, at place: UdevRulePlace?, _ summary: String, fix: RuleFix? = nil,
    isCertain: Bool = true
  ) {
    self.code = code
    self.place = place
    self.summary = summary
    self.fix = fix
    self.isCertain = isCertain
  }
}

/// A change that makes a rule take effect.
public struct RuleFix: Hashable, Sendable {
  /// The description, as one imperative sentence without a period.
  public let title: String
  /// The shell commands, which must run as root.
  public let commands: [String]
  /// The new text of the rule; `nil` if it does not change.
  public let line: String?
  /// A Boolean value that indicates whether the model proves that the rule then takes effect.
  public let isProven: Bool
  /// The resulting permissions of the device; `nil` if the model does not predict them.
  let outcome: Outcome?

  /// The permissions of a device after an event.
  struct Outcome: Hashable, Sendable {
    /// The owner, group and mode of the node.
    let node: UdevRuleReport.Node
    /// A Boolean value that indicates whether the device is tagged for the user of its seat.
    let isTagged: Bool
    /// The new ID of a group that keeps its members; ``formerGroup`` is the old ID.
    var renumbered: UInt32?
    var formerGroup: UInt32?
    /// The name of the group that the fix creates or renumbers.
    var groupName: UdevRuleText?

    init(_ report: UdevRuleReport) {
      node = report.node
      isTagged = report.currentTags.contains("uaccess")
    }
  }

  init(
    _ title: String, _ commands: [String], line: String? = nil, isProven: Bool,
    outcome: Outcome? = nil
  ) {
    self.title = title
    self.commands = commands
    self.line = line
    self.isProven = isProven
    self.outcome = outcome
  }
}

/// The commands that make udevd apply its rules to one device.
struct RuleEvent {
  let facts: RuleFacts
  /// The action of the event, such as `add`.
  let action: String

  var commands: [String] {
    let device = facts.device.map { ($0.subsystem?.exact ?? "", $0.name.exact) }
    return ["udevadm control --reload"]
      + UdevTrigger(facts).commands(
        node: facts.device?.node?.exact, device: device, action: action)
  }

  /// Returns the command that makes udevd read an unchanged file again.
  ///
  /// Before version 254, udevd compares the modification time of the folder. Later versions compare
  /// the modification time of the file.
  static func renewing(_ file: RuleFile) -> String {
    "touch \(file.path.shellQuoted) \(file.folder.shellQuoted)"
  }
}
