/// The files of a pictures directory, divided into those that this process can and cannot read.
///
/// Directories, their contents and hidden files are left out.
public struct AlbumContents: Hashable, Sendable {
  /// The names of the readable files, sorted; untrusted text.
  public var readable: [String]
  /// The names of the unreadable files, sorted; untrusted text.
  public var unreadable: [String]
  /// A Boolean value that indicates whether all files were checked.
  ///
  /// It is `false` if the directory contains more than ``mostFiles`` entries.
  public var isComplete: Bool

  /// The maximum number of directory entries to check.
  public static let mostFiles = 1_000

  /// Creates a list.
  public init(readable: [String], unreadable: [String], isComplete: Bool = true) {
    self.readable = readable
    self.unreadable = unreadable
    self.isComplete = isComplete
  }
}
