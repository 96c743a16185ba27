/// A line of a rules file.
public struct UdevRulePlace: Hashable, Sendable, CustomStringConvertible {
  /// The path of the file.
  public let path: String
  /// The first line that it was written on, counted from 1.
  public let line: Int

  /// Names a line.
  public init(path: String, line: Int) {
    self.path = path
    self.line = line
  }

  /// The path, a colon and the number.
  public var description: String { "\(path):\(line)" }
}
