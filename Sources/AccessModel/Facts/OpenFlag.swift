/// A flag of open(2).
///
/// Raw values are the words of the case format: the C constants without `O_`.
public enum OpenFlag: String, Hashable, Sendable, Codable, CaseIterable {
  /// `O_RDONLY`.
  case readOnly = "RDONLY"
  /// `O_WRONLY`.
  case writeOnly = "WRONLY"
  /// `O_RDWR`.
  case readWrite = "RDWR"
  /// The access mode 3, which asks for read and write and grants neither.
  case accessMode3 = "ACCMODE3"
  /// `O_PATH`: a descriptor of the place, which needs no permission on the object.
  case path = "PATH"
  /// `O_TRUNC`, which wants to write whatever the access mode is.
  case truncate = "TRUNC"
  /// `O_APPEND`, without which an append-only file cannot be written.
  case append = "APPEND"
  /// `O_NONBLOCK`, which no permission depends on.
  case nonBlocking = "NONBLOCK"
  /// `O_DIRECTORY`: the object must be a directory.
  case directory = "DIRECTORY"
  /// `O_NOFOLLOW`: a symbolic link at the end of the path is not followed.
  case noFollow = "NOFOLLOW"
  /// `O_NOATIME`, which only the owner and `CAP_FOWNER` may use.
  case noAccessTime = "NOATIME"
  /// The file is created when it does not exist.
  case create = "CREAT"
  /// Only together with ``create``: the file must not exist, not even as a link.
  case exclusive = "EXCL"
}
