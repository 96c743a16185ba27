/// The error number of a Linux system call, with its name and text.
///
/// Any number is valid, because the kernel and its drivers can return any number. Where a call may
/// have succeeded, zero indicates success.
public struct Errno: RawRepresentable, Hashable, Sendable, Codable, Error {
  /// The number, as in errno(3).
  public let rawValue: Int32

  /// Creates an error from any number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}

extension Errno: ExpressibleByIntegerLiteral {
  /// Creates an error from an integer literal.
  public init(integerLiteral value: Int32) {
    self.init(rawValue: value)
  }
}

extension Errno: CustomStringConvertible {
  /// The same as ``name``.
  public var description: String { name }
}
