/// A flag of open(2).
///
/// The case format uses the raw values, which are the C constants without `O_`.
public enum OpenFlag: String, Hashable, Sendable, Codable, CaseIterable {
  /// `O_RDONLY`.
  case readOnly = "RDONLY"
  /// `O_WRONLY`.
  case writeOnly = "WRONLY"
  /// `O_RDWR`.
  case readWrite = "RDWR"
  /// Access mode 3, which requires read and write permission but opens for neither.
  case accessMode3 = "ACCMODE3"
  /// `O_PATH`: opens a descriptor for the location only, which requires no permission on the
  /// object.
  case path = "PATH"
  /// `O_TRUNC`, which requires write permission in every access mode.
  case truncate = "TRUNC"
  /// `O_APPEND`, which is required to write to an append-only file.
  case append = "APPEND"
  /// `O_NONBLOCK`, which does not affect permissions.
  case nonBlocking = "NONBLOCK"
  /// `O_DIRECTORY`: the object must be a directory.
  case directory = "DIRECTORY"
  /// `O_NOFOLLOW`: a symbolic link at the end of the path is not followed.
  case noFollow = "NOFOLLOW"
  /// `O_NOATIME`, which only the owner and `CAP_FOWNER` may use.
  case noAccessTime = "NOATIME"
  /// `O_CREAT`: the file is created if it does not exist.
  case create = "CREAT"
  /// `O_EXCL`: the name must not exist, not even as a symbolic link; requires ``create``.
  case exclusive = "EXCL"
}
