/// Which files of a pictures directory this process can read, and which it cannot.
///
/// Directories, hidden files, and what is in further directories are left out.
public struct AlbumContents: Hashable, Sendable {
  /// The names of those that can be read, sorted; they are untrusted text.
  public var readable: [String]
  /// The names of those that cannot be read, sorted; they are untrusted text.
  public var unreadable: [String]
  /// Whether these are all; false where there are more than ``mostFiles``.
  public var isComplete: Bool

  /// How many files are looked at.
  public static let mostFiles = 1_000

  /// Creates a list.
  public init(readable: [String], unreadable: [String], isComplete: Bool = true) {
    self.readable = readable
    self.unreadable = unreadable
    self.isComplete = isComplete
  }
}
