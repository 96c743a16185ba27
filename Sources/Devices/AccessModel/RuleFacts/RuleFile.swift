/// A file in one of udev's rules folders.
public struct RuleFile: Hashable, Sendable {
  /// The state of a file.
  public enum State: String, Hashable, Sendable, Codable, CaseIterable {
    /// The file was read.
    case rules
    /// The file is empty, a device such as `/dev/null`, or a link to nothing.
    ///
    /// It hides files with the same name in other folders.
    case empty
    /// The entry is a folder, a FIFO or a socket, and udevd reads no rules from it.
    case other
    /// The file could not be read, so its rules are unknown.
    case hidden
  }

  /// The folder, such as `/etc/udev/rules.d`.
  public var folder: String
  /// The name of the file.
  public var name: String
  /// The state of the file.
  public var state: State
  /// The contents, without the text of comments.
  public private(set) var bytes: [UInt8]
  /// The ID of the user who owns the file.
  public var owner: UInt32?
  /// The time of the last modification, in seconds since the epoch.
  public var modified: Int64?
  /// The reason why the file could not be read as udevd reads it, as one clause.
  public var problem: String?

  /// Creates a file, without the text of comments in `bytes`.
  public init(
    folder: String, name: String, state: State = .rules, bytes: [UInt8] = [],
    owner: UInt32? = nil, modified: Int64? = nil, problem: String? = nil
  ) {
    self.folder = folder
    self.name = name
    self.state = state
    self.bytes = Self.withoutComments(bytes)
    self.owner = owner
    self.modified = modified
    self.problem = problem
  }

  /// The path of the file.
  public var path: String { "\(folder)/\(name)" }

  /// A Boolean value that indicates whether the file belongs to the administrator, not to a
  /// package.
  var isOwn: Bool { Self.isOwn(folder) }

  static func isOwn(_ folder: String) -> Bool {
    folder.hasPrefix("/etc/") || folder.hasPrefix("/run/")
  }

  /// The file as a candidate for reading.
  var candidate: UdevRuleFileChoice.Candidate {
    UdevRuleFileChoice.Candidate(folder: folder, name: name, isEmpty: state == .empty)
  }

  /// Returns the contents without the text of comments, which does not affect any rule.
  ///
  /// The number of each line stays the same.
  private static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(UInt8(ascii: "#")) else { return bytes }
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    // The start of the bytes that are kept but not yet copied.
    var rest = 0
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, !bytes[end].isLineEnd { end += 1 }
      var first = start
      while first < end, bytes[first].isBlank { first += 1 }
      // A line that is too long makes udevd stop reading, even if it is a comment.
      if first < end, bytes[first] == UInt8(ascii: "#"), end - start < UdevRuleLineReader.limit {
        kept.append(contentsOf: bytes[rest..<start])
        kept.append(UInt8(ascii: "#"))
        rest = end
      }
      start = end + 1
    }
    kept.append(contentsOf: bytes[rest...])
    return kept
  }
}
