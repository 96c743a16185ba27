/// Something that explains why a rule has no effect, or why a node is not as its rules say.
public struct RuleFinding: Hashable, Sendable {
  /// What was found, as one member of a closed vocabulary.
  public enum Code: String, Hashable, Sendable, Codable, CaseIterable {
    /// No daemon runs that applies rules.
    case noDaemon = "no_daemon"
    /// The daemon has not handled the device.
    case notHandled = "not_handled"
    /// A file of rules was written after the daemon last handled the device.
    case noEventSince = "no_event_since"
    /// The node is not what the rules make it.
    case changedAfterwards = "changed_afterwards"
    /// No device has the node, so no event comes for it.
    case staticNode = "static_node"
    /// The file lies in no folder that udevd reads.
    case wrongFolder = "wrong_folder"
    /// The name of the file does not end in `.rules`.
    case wrongName = "wrong_name"
    /// An empty file or a link to `/dev/null` of the same name hides the file.
    case masked
    /// A file of the same name in a stronger folder takes its place.
    case replaced
    /// The file is empty, or no regular file.
    case noRules = "no_rules"
    /// The file could not be read as udevd reads it.
    case unreadable
    /// udevd ignores the line, or a part of it.
    case invalid
    /// A match does not hold.
    case mismatch
    /// The `GOTO` of another line leads past it.
    case skipped
    /// A match holds only after a later line.
    case tooEarly = "too_early"
    /// The tag comes after the line that gives tagged devices to the user of the seat.
    case tooLate = "too_late"
    /// A later line sets it to something else.
    case overwritten
    /// An earlier line fixed it with `:=`.
    case fixedBefore = "fixed_before"
    /// The line sets what this device does not have.
    case irrelevant
    /// A user or group that the line names does not exist.
    case noSuchName = "no_such_name"
    /// udevd ignores a user or group that the line names, because it is not a system account.
    case ordinaryAccount = "ordinary_account"
    /// udevd does not find the program that the line runs.
    case missingProgram = "missing_program"
    /// It depends on what is not known.
    case undetermined
  }

  /// What was found.
  public let code: Code
  /// The line, or the first line of the file, that it is about.
  public let place: UdevRulePlace?
  /// What was found, as one sentence with the names and values of this case.
  public let summary: String
  /// What mends it; `nil` where nothing is known to.
  public var fix: RuleFix?
  /// Whether it is so, and not only perhaps because something could not be seen.
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
