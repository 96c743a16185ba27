internal import Glibc

/// The file descriptor of an open device, which is closed when the value is destroyed.
public struct DeviceDescriptor: ~Copyable, Sendable {
  /// The file descriptor, which is valid for the lifetime of this value.
  public let rawValue: Int32

  /// Takes ownership of an open file descriptor.
  public init(adopting rawValue: Int32) {
    self.rawValue = rawValue
  }

  deinit {
    close(rawValue)
  }

  /// Returns the file descriptor without closing it; the caller must close it.
  public consuming func release() -> Int32 {
    let descriptor = rawValue
    discard self
    return descriptor
  }
}
