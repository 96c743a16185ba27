/// A flag of open(2).
///
/// Raw values are the words of the case format: the C constants without `O_`.
public enum OpenFlag: String, Hashable, Sendable, Codable, CaseIterable {
  case readOnly = "RDONLY"
  case writeOnly = "WRONLY"
  case readWrite = "RDWR"
  /// The access mode 3, which asks for read and write and grants neither.
  case accessMode3 = "ACCMODE3"
  case path = "PATH"
  case truncate = "TRUNC"
  case append = "APPEND"
  case nonBlocking = "NONBLOCK"
  case directory = "DIRECTORY"
  case noFollow = "NOFOLLOW"
  case noAccessTime = "NOATIME"
  /// The file is created when it does not exist.
  case create = "CREAT"
  /// Only together with ``create``: the file must not exist, not even as a link.
  case exclusive = "EXCL"
}
