public import AccessModel
public import LinuxDevices

/// The reports about the levels of the album, and the pictures that can be read.
public struct AlbumReport: Hashable, Sendable {
  /// The pictures directory; `nil` if there is no home directory.
  public var path: String?
  /// The report about adding pictures.
  public var addOnly: PermissionReport
  /// The report about listing, reading and adding pictures.
  ///
  /// Its status is `limited` if some pictures cannot be read.
  public var readWrite: PermissionReport
  /// The readable and unreadable pictures; `nil` if the directory cannot be listed.
  public var contents: AlbumContents?

  /// Returns the report about a level.
  public subscript(level: AlbumAccessLevel) -> PermissionReport {
    switch level {
    case .addOnly: addOnly
    case .readWrite: readWrite
    }
  }
}

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

extension PermissionReport {
  /// Returns the report with the path of the directory, for a question about a new file in it.
  func about(directory path: String?) -> PermissionReport {
    PermissionReport(
      answer: answer, status: status, availability: availability, certainty: certainty,
      path: path, cause: cause, reason: reason)
  }

  /// Returns the report with the status `limited` if some of the pictures cannot be read.
  ///
  /// Adding and listing pictures still work, so the answer remains the same.
  func limited(by contents: AlbumContents?) -> PermissionReport {
    guard status == .authorized, let contents, !contents.unreadable.isEmpty else { return self }
    let count = contents.unreadable.count
    let words = count == 1 ? "1 picture" : "\(count) pictures"
    return PermissionReport(
      answer: answer, status: .limited, availability: availability, certainty: certainty,
      path: path, cause: cause,
      reason: "\(words) cannot be read\(contents.isComplete ? "" : ", and there are more").")
  }
}
