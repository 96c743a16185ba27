/// The kernel's own answer to one request, from the raw `faccessat2` system call with `AT_EACCESS`.
///
/// The answer covers layers that no model can evaluate, such as a device program or SELinux. It
/// does not cover `nodev`, Landlock and AppArmor.
public struct KernelCheck: Hashable, Sendable, Codable {
  /// The path that the kernel was asked about.
  public var path: String
  /// The requested permission bits: 4 is read, 2 is write, 1 is execute or search.
  public var mode: UInt8
  /// The error number, or 0 if the kernel grants the access.
  public var errno: Errno

  /// Creates an answer; an error number of 0 means that the access is granted.
  public init(path: String, mode: Permissions, errno: Errno) {
    self.path = path
    self.mode = mode.rawValue
    self.errno = errno
  }

  /// The requested permissions.
  public var permissions: Permissions { Permissions(rawValue: mode) }
}
