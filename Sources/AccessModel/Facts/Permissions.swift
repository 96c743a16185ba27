/// The three permission bits of a class or an access control list entry.
///
/// The raw value is the kernel's: `MAY_READ` 4, `MAY_WRITE` 2, `MAY_EXEC` 1. On a directory
/// `execute` means search, the right to look a name up in it.
public struct Permissions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// `MAY_READ`: reading, or listing a directory.
  public static let read = Permissions(rawValue: 4)
  /// `MAY_WRITE`: writing, or creating and removing names in a directory.
  public static let write = Permissions(rawValue: 2)
  /// `MAY_EXEC`: starting a program.
  public static let execute = Permissions(rawValue: 1)
  /// The right to look a name up in a directory: the same bit as ``execute``.
  public static let search = Permissions(rawValue: 1)
}
