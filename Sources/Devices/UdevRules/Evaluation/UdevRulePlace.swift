/// The place of a line in a rules file.
public struct UdevRulePlace: Hashable, Sendable, CustomStringConvertible {
  /// The path of the file.
  public let path: String
  /// The number of the first line that the rule spans, counted from 1.
  public let line: Int

  /// Creates the place of a line.
  public init(path: String, line: Int) {
    self.path = path
    self.line = line
  }

  /// The path and the line number, separated by a colon.
  public var description: String { "\(path):\(line)" }
}
