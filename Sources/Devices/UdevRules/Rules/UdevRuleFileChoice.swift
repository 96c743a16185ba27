/// The files in udev's folders that udevd reads, in order, and those that it ignores.
public struct UdevRuleFileChoice: Hashable, Sendable {
  /// A file in one of the folders.
  public struct Candidate: Hashable, Sendable {
    /// The folder, such as `/etc/udev/rules.d`.
    public let folder: String
    /// The name of the file.
    public let name: String
    /// A Boolean value that indicates whether the file is empty, or a link to `/dev/null` or to
    /// nothing.
    public let isEmpty: Bool

    /// Creates a candidate.
    public init(folder: String, name: String, isEmpty: Bool) {
      self.folder = folder
      self.name = name
      self.isEmpty = isEmpty
    }

    /// The path of the file.
    public var path: String { "\(folder)/\(name)" }
  }

  /// The reason why udevd does not read a file.
  public enum Exclusion: Hashable, Sendable {
    /// The name of the file does not end in `.rules`.
    case suffix
    /// A file with the same name, in a folder that takes precedence, replaces the file.
    case replaced(by: String)
    /// An empty file with the same name, in a folder that takes precedence, hides the file.
    case masked(by: String)
    /// The file itself is empty.
    case empty
  }

  /// A file that is not read, with the reason.
  public struct Excluded: Hashable, Sendable {
    /// The file.
    public let file: Candidate
    /// The reason why it is not read.
    public let reason: Exclusion
  }

  /// The folders that udevd reads, in order of precedence.
  public static let folders = [
    "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d",
    "/usr/lib/udev/rules.d", "/lib/udev/rules.d",
  ]

  /// Returns whether a version of udevd reads rules in a folder.
  ///
  /// The manual page of systemd 241 (Debian 10) does not list the folder below `/usr/local`; the
  /// manual page of 247 (Debian 11) does.
  package static func isRead(_ folder: String, by version: UdevRuleVersion) -> Bool {
    folders.contains(folder)
      && (version.readsLocalFolder || folder != "/usr/local/lib/udev/rules.d")
  }

  /// The files that are read, in the order in which they are read.
  public private(set) var read: [Candidate] = []
  /// The files that are not read, in the order in which they were passed.
  public private(set) var excluded: [Excluded] = []

  /// Chooses among the files of all folders, which must be grouped by folder in order of
  /// precedence.
  ///
  /// If two paths lead to the same folder, as `/lib` and `/usr/lib` often do, only one of them may
  /// be listed.
  public init(_ candidates: [Candidate]) {
    var strongest: [UdevRuleText: Candidate] = [:]
    for file in candidates {
      guard file.name.utf8.reversed().starts(with: ".rules".utf8.reversed()) else {
        exclude(file, .suffix)
        continue
      }
      let name = UdevRuleText(file.name)
      if let other = strongest[name] {
        exclude(file, other.isEmpty ? .masked(by: other.path) : .replaced(by: other.path))
        continue
      }
      strongest[name] = file
      if file.isEmpty { exclude(file, .empty) }
    }
    read = strongest.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map(\.value)
  }

  private mutating func exclude(_ file: Candidate, _ reason: Exclusion) {
    excluded.append(Excluded(file: file, reason: reason))
  }
}
