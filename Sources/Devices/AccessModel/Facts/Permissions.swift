/// The three permission bits of one class in a mode, or of an access control list entry.
///
/// The raw values are the kernel's: `MAY_READ` is 4, `MAY_WRITE` is 2 and `MAY_EXEC` is 1. On a
/// directory, `execute` is the permission to search it, which means to look up a name in it.
public struct Permissions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// `MAY_READ`: reading a file or listing a directory.
  public static let read = Permissions(rawValue: 4)
  /// `MAY_WRITE`: writing to a file, or creating and removing names in a directory.
  public static let write = Permissions(rawValue: 2)
  /// `MAY_EXEC`: executing a file.
  public static let execute = Permissions(rawValue: 1)
  /// The permission to look up a name in a directory, which is the same bit as ``execute``.
  public static let search = Permissions(rawValue: 1)
}
