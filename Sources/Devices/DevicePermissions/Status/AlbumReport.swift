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
