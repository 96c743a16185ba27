/// The kernel's own answer to one request, from the raw `faccessat2` system call with
/// `AT_EACCESS`.
///
/// It sees what no model can (a device program, SELinux) and misses `nodev`, Landlock and
/// AppArmor.
public struct KernelCheck: Hashable, Sendable, Codable {
  /// The path that was asked about.
  public var path: String
  /// The bits that were asked for: 4 read, 2 write, 1 execute or search.
  public var mode: UInt8
  /// 0 when granted, else the error number.
  public var errno: Errno

  /// Creates an answer; an error number of 0 is a grant.
  public init(path: String, mode: Permissions, errno: Errno) {
    self.path = path
    self.mode = mode.rawValue
    self.errno = errno
  }

  /// ``mode`` as permissions.
  public var permissions: Permissions { Permissions(rawValue: mode) }
}
