internal import Glibc

/// An open device: closes its file descriptor when it goes.
public struct DeviceDescriptor: ~Copyable, Sendable {
  /// The file descriptor, valid as long as this value lives.
  public let rawValue: Int32

  /// Takes over an open file descriptor.
  public init(adopting rawValue: Int32) {
    self.rawValue = rawValue
  }

  deinit {
    close(rawValue)
  }

  /// Gives the file descriptor up to the caller, who closes it.
  public consuming func release() -> Int32 {
    let descriptor = rawValue
    discard self
    return descriptor
  }
}
