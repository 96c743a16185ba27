public import AccessModel

/// A file that a person chose, and what this process may do with it.
public struct SelectedFile: Hashable, Sendable {
  /// The absolute path, as the desktop named it; untrusted text.
  public var path: String
  /// Reading and writing, as far as the kernel grants them.
  public var permissions: Permissions
  /// Why it cannot be read, as one clause; `nil` where it can.
  public var reason: String?

  /// Creates a file.
  public init(path: String, permissions: Permissions, reason: String? = nil) {
    self.path = path
    self.permissions = permissions
    self.reason = reason
  }

  /// The last part of the path, as a person knows it; untrusted text.
  public var name: String {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
  }

  /// Whether it can be read.
  public var isReadable: Bool { permissions.contains(.read) }
  /// Whether it can be written.
  public var isWritable: Bool { permissions.contains(.write) }
}
