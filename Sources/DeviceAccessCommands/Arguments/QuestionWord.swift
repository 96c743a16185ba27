internal import AccessModel

/// Understands the word that names what is asked about.
enum QuestionWord {
  /// The longest path that a system call takes, without its final NUL (`PATH_MAX`).
  static let longestPath = 4095

  /// A word that names a kind is that kind, anything with a slash is a path.
  ///
  /// - Throws: ``UsageError`` for any other word.
  static func target(
    of word: String, for command: Command
  ) throws(UsageError) -> Question.Target {
    if let kind = DeviceKind.named(word) { return .kind(kind) }
    guard word.utf8.contains(UInt8(ascii: "/")) else { throw unknown(word, for: command) }
    let length = ByteText(word).byteCount
    guard length <= longestPath else {
      throw UsageError(
        "the path is \(length) bytes long, more than the \(longestPath) that Linux takes",
        command: command)
    }
    return .path(word)
  }

  /// The kind that a word names.
  ///
  /// - Throws: ``UsageError`` for a word that names none.
  static func kind(of word: String, for command: Command) throws(UsageError) -> DeviceKind {
    guard let kind = DeviceKind.named(word) else { throw unknown(word, for: command) }
    guard kind.subsystem != nil else {
      throw UsageError(
        "\(kind.name) is not a device and has no list; ask 'devaccess explain \(kind.name)'",
        command: command)
    }
    return kind
  }

  private static func unknown(_ word: String, for command: Command) -> UsageError {
    let kinds = DeviceKind.all
      .filter { command != .list || $0.subsystem != nil }
      .map(\.name).joined(separator: ", ")
    let path = command == .list ? "" : ", or a path with a slash in it"
    return UsageError(
      "unknown kind '\(Escaped(word, limit: 80))': use \(kinds)\(path)", command: command)
  }
}
