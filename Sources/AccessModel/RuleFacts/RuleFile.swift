/// A file in one of udev's folders for rules, as it was found.
public struct RuleFile: Hashable, Sendable {
  /// What kind of file it is.
  public enum State: String, Hashable, Sendable, Codable, CaseIterable {
    /// It was read.
    case rules
    /// It is empty, a link to nothing or a device such as `/dev/null`: it hides others of its name.
    case empty
    /// It is a folder, a FIFO or a socket, from which udevd reads no rules.
    case other
    /// It could not be read, so its rules are not known.
    case hidden
  }

  /// The folder, such as `/etc/udev/rules.d`.
  public var folder: String
  /// The name of the file.
  public var name: String
  /// What kind of file it is.
  public var state: State
  /// What it holds, without the text of comments.
  public private(set) var bytes: [UInt8]
  /// The user who owns it.
  public var owner: UInt32?
  /// When it was last written, in seconds since the epoch.
  public var modified: Int64?
  /// What kept it from being read as udevd reads it, as one clause.
  public var problem: String?

  /// Describes a file; comments are left out.
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

  /// The whole path.
  public var path: String { "\(folder)/\(name)" }

  /// Whether it is the administrator's, not a package's.
  var isOwn: Bool { Self.isOwn(folder) }

  static func isOwn(_ folder: String) -> Bool {
    folder.hasPrefix("/etc/") || folder.hasPrefix("/run/")
  }

  /// The number at the beginning of its name and all that follows, by which files are sorted.
  var candidate: UdevRuleFileChoice.Candidate {
    UdevRuleFileChoice.Candidate(folder: folder, name: name, isEmpty: state == .empty)
  }

  /// Leaves the text of comments out, on which no rule depends; the lines keep their numbers.
  private static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(UInt8(ascii: "#")) else { return bytes }
    var kept: [UInt8] = []
    kept.reserveCapacity(bytes.count)
    // Where what is kept and not copied yet begins.
    var rest = 0
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, !bytes[end].isLineEnd { end += 1 }
      var first = start
      while first < end, bytes[first].isBlank { first += 1 }
      // One that is too long ends a file, comment or not.
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
