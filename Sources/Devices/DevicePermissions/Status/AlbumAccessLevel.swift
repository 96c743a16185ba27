public import AccessModel

/// The access to the photo album that a program needs.
public enum AlbumAccessLevel: String, Hashable, Sendable, Codable, CaseIterable {
  /// Adding pictures by creating files in the directory, without listing it.
  case addOnly
  /// Listing, reading and adding pictures.
  case readWrite

  /// The permissions that the level needs on the directory.
  ///
  /// Creating a file requires write and search permission (`may_create` in `fs/namei.c` of Linux).
  public var permissions: Permissions {
    switch self {
    case .addOnly: [.write, .search]
    case .readWrite: [.read, .write, .search]
    }
  }

  /// The question whether the level is granted.
  ///
  /// For ``addOnly``, the question is about a new file. Its answer therefore also considers a
  /// read-only mount, an immutable directory, and identifiers that the filesystem cannot store.
  public var question: Question {
    switch self {
    case .addOnly: Question(.kind(.album), purpose: .create)
    case .readWrite: Question(.kind(.album), wanted: permissions)
    }
  }
}
