internal import AccessModel
internal import Glibc

/// The operands that a command accepts.
enum Operand: Hashable, Sendable {
  case none
  /// An optional kind of device.
  case optionalKind
  /// Any number of kinds, including directories such as the album.
  case optionalKinds
  /// A kind or a path; optional if an option such as `--from` replaces it.
  case kindOrPath
  /// A kind of device or the path of a device; optional if an option such as `--from` replaces it.
  case deviceOrPath
  /// A kind that can be requested, or a path.
  case requestedOrPath
  /// A kind, a path or the identifier of a grant.
  case grantKindOrPath
  /// One or more kinds or paths.
  case kindsOrPaths
  /// Any number of kinds or paths.
  case optionalKindsOrPaths
  /// Any number of kinds of device or paths of devices.
  case devicesOrPaths
  /// The name of a shell.
  case shell
  /// The optional name of a command, or code of a cause.
  case optionalTopic

  /// The notation for the operands in the help.
  var text: String {
    switch self {
    case .none: ""
    case .optionalKind: "[KIND]"
    case .optionalKinds: "[KIND...]"
    case .kindOrPath, .deviceOrPath: "KIND|PATH"
    case .requestedOrPath: "KIND|PATH"
    case .grantKindOrPath: "ID|KIND|PATH"
    case .kindsOrPaths: "KIND|PATH..."
    case .devicesOrPaths, .optionalKindsOrPaths: "[KIND|PATH...]"
    case .shell: "SHELL"
    case .optionalTopic: "[COMMAND|CAUSE]"
    }
  }

  /// A Boolean value that indicates whether an operand can be a path.
  var takesPaths: Bool {
    switch self {
    case .kindOrPath, .deviceOrPath, .requestedOrPath, .grantKindOrPath, .kindsOrPaths,
      .devicesOrPaths,
      .optionalKindsOrPaths:
      true
    case .none, .optionalKind, .optionalKinds, .shell, .optionalTopic: false
    }
  }
}

/// Parses the operand that names the target of a question.
enum OperandReader {
  /// The longest path that a system call accepts, without the final NUL (`PATH_MAX` - 1).
  static let longestPath = 4095

  /// Returns the target that a word names: the kind with that name, or else a path.
  ///
  /// `.`, `..` and any word with a slash are paths. Any other word is a path if a file with that
  /// name exists.
  ///
  /// - Throws: ``UsageError`` if the word is neither a kind nor a path, or if the path is too long.
  static func target(
    _ word: String, for command: CommandName, fileExists: (String) -> Bool
  ) throws(UsageError) -> Question.Target {
    if let kind = DeviceKind.named(word) { return .kind(kind) }
    let isPath = word.utf8.contains(UInt8(ascii: "/")) || word == "." || word == ".."
    guard isPath || (!word.isEmpty && fileExists(word)) else { throw unknown(word, for: command) }
    let length = ByteText(word).byteCount
    guard length <= longestPath else {
      throw UsageError(
        "the path is \(length) bytes long; Linux takes at most \(longestPath)",
        command: command)
    }
    return .path(word)
  }

  /// Returns the kind that a word names.
  ///
  /// - Throws: ``UsageError`` if the word names no kind.
  static func kind(_ word: String, for command: CommandName) throws(UsageError) -> DeviceKind {
    if let kind = DeviceKind.named(word) { return kind }
    guard isKindOrPath(word) else { throw unknown(word, for: command) }
    let line = Style(color: false, unicode: false).command("devaccess check \(word.shellQuoted)")
    throw UsageError(
      "'\(command.rawValue)' takes a kind, such as camera, not a path; try '\(line)'",
      command: command)
  }

  /// Returns the kind of device that a word names.
  ///
  /// - Throws: ``UsageError`` if the word names no kind of device.
  static func device(_ word: String, for command: CommandName) throws(UsageError) -> DeviceKind {
    let kind = try kind(word, for: command)
    guard kind.subsystem != nil else {
      throw UsageError(
        "\(kind.name) is a directory, not a device; try 'devaccess explain \(kind.name)'",
        command: command)
    }
    return kind
  }

  /// Returns whether a word is the name of a kind or contains a slash.
  static func isKindOrPath(_ word: String) -> Bool {
    DeviceKind.named(word) != nil || word.utf8.contains(UInt8(ascii: "/"))
  }

  private static func unknown(_ word: String, for command: CommandName) -> UsageError {
    let kinds = command.command.declaration.operand.words
    let shown = Escaped(word, limit: 80)
    let isOfKinds = command == .list || command == .status
    if word.isEmpty {
      let things =
        isOfKinds ? "a kind" : command == .revoke ? "a grant ID, kind or path" : "a kind or path"
      return UsageError("empty argument; specify \(things), such as 'camera'", command: command)
    }
    var text =
      switch command {
      case .list, .status: "unknown kind '\(shown)'"
      case .revoke: "'\(shown)' is not a grant ID, a kind or an existing path"
      default: "'\(shown)' is neither a kind nor an existing path"
      }
    if let near = Suggestion.nearest(to: word, in: kinds) {
      text += "; did you mean '\(near)'?"
    } else if command == .revoke {
      text += "; 'devaccess grants' lists the IDs"
    } else {
      text += "; the kinds are \(kinds.listed())"
    }
    return UsageError(text, command: command)
  }
}

/// Operations on file names that the user typed.
enum FileName {
  /// Returns whether a file system object with the name exists; a dangling symbolic link counts.
  static func exists(_ name: String) -> Bool {
    guard !name.isEmpty, !name.utf8.contains(0) else { return false }
    var status = stat()
    return unsafe lstat(ByteText(name).cString, &status) == 0
  }

  /// Returns the absolute path, without `.` and empty components, for comparison with other paths.
  static func absolute(_ name: String) -> String {
    var path = name
    if name.utf8.first != UInt8(ascii: "/") {
      var buffer = [CChar](repeating: 0, count: 4096)
      guard unsafe getcwd(&buffer, buffer.count) != nil else { return name }
      let bytes = buffer.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
      path = ByteText(bytes: bytes).text + "/" + name
    }
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    return "/" + parts.filter { $0 != "." }.joined(separator: "/")
  }
}
