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
