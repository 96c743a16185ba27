/// A file of rules, or one line of it, that somebody names.
public struct RuleReference: Hashable, Sendable {
  /// The path of the file, or its name alone.
  public var file: String
  /// A line of the file, counted from 1; `nil` for all of them.
  public var line: Int?

  /// Names a file, or one line of it.
  public init(file: String, line: Int? = nil) {
    self.file = file
    self.line = line
  }

  /// The file among those that were found; `nil` when there is none of that name.
  public func file(in facts: RuleFacts) -> RuleFile? {
    if file.utf8.contains(UInt8(ascii: "/")) {
      // Where /lib is a link to /usr/lib, the file is known by its other path.
      return facts.file(at: file)
        ?? (file.hasPrefix("/lib/") ? facts.file(at: "/usr" + file) : nil)
    }
    return facts.files.first { $0.name == file }
  }
}
