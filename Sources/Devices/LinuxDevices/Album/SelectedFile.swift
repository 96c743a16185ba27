public import AccessModel

/// A file that the user selected, with the access that this process has to it.
public struct SelectedFile: Hashable, Sendable {
  /// The absolute path, as the desktop reported it; untrusted text.
  public var path: String
  /// The access that the kernel grants: reading, writing, both or neither.
  public var permissions: Permissions
  /// The reason that the file is not readable, as one clause; `nil` if it is readable.
  public var reason: String?

  /// Creates a file.
  public init(path: String, permissions: Permissions, reason: String? = nil) {
    self.path = path
    self.permissions = permissions
    self.reason = reason
  }

  /// The last component of the path; untrusted text.
  public var name: String {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
  }

  /// A Boolean value that indicates whether the file is readable.
  public var isReadable: Bool { permissions.contains(.read) }
  /// A Boolean value that indicates whether the file is writable.
  public var isWritable: Bool { permissions.contains(.write) }
}
