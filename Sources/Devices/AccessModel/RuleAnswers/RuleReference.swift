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
