public import AccessModel

/// How much of the photo album a program wants.
public enum AlbumAccessLevel: String, Hashable, Sendable, Codable, CaseIterable {
  /// Adding pictures: creating files in the directory, without listing it.
  case addOnly
  /// Listing, reading and adding.
  case readWrite

  /// What the level needs on the directory.
  ///
  /// Creating a file needs write and search
  /// (`may_create` in fs/namei.c).
  public var permissions: Permissions {
    switch self {
    case .addOnly: [.write, .search]
    case .readWrite: [.read, .write, .search]
    }
  }
}
