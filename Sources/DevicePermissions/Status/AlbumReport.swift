public import LinuxDevices

/// How each level of the album stands, and which pictures can be read.
public struct AlbumReport: Hashable, Sendable {
  /// The pictures directory; `nil` where there is no home directory.
  public var path: String?
  /// Whether pictures can be added.
  public var addOnly: PermissionReport
  /// Whether pictures can be listed, read and added; `limited` also where some cannot be read.
  public var readWrite: PermissionReport
  /// What can be read and what cannot; `nil` where the directory cannot be listed.
  public var contents: AlbumContents?

  /// The report of one level.
  public subscript(level: AlbumAccessLevel) -> PermissionReport {
    switch level {
    case .addOnly: addOnly
    case .readWrite: readWrite
    }
  }
}
