/// The error number of a Linux system call, with its name and its text.
///
/// It is a number and no promise: the kernel and drivers return any. Zero stands for success where
/// a call may have worked.
public struct Errno: RawRepresentable, Hashable, Sendable, Codable, Error {
  /// The number, as in errno(3).
  public let rawValue: Int32

  /// Takes any number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }
}

extension Errno: ExpressibleByIntegerLiteral {
  /// Takes a number as it is written.
  public init(integerLiteral value: Int32) {
    self.init(rawValue: value)
  }
}

extension Errno: CustomStringConvertible {
  /// The same as ``name``.
  public var description: String { name }
}
