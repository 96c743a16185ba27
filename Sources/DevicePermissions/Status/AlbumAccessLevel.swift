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

  /// The question that tells whether the level is granted.
  ///
  /// For adding alone it is about a new file, so that a read-only mount, an immutable directory
  /// and identifiers that the filesystem cannot hold count as well.
  public var question: Question {
    switch self {
    case .addOnly: Question(.kind(.album), purpose: .create)
    case .readWrite: Question(.kind(.album), wanted: permissions)
    }
  }
}
