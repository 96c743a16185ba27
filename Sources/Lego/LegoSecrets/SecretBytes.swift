internal import Glibc
internal import Synchronization

/// The bytes of a secret, which are overwritten when the last reference is released.
final class SecretBytes: Sendable {
  /// The maximum size of a secret in bytes, which is also the limit for a systemd credential.
  static let limit = 1 << 20

  private let storage: Mutex<[UInt8]>

  /// Takes ownership of the given bytes.
  ///
  /// The caller must not keep a copy, because a copy is not overwritten.
  init(_ bytes: consuming [UInt8]) {
    storage = Mutex(bytes)
  }

  /// Creates a secret whose bytes are written by a closure.
  ///
  /// The closure fills the buffer from its start, and returns the number of bytes that it has
  /// written. If it throws an error, the buffer is overwritten.
  convenience init(
    capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(SecretFailure) -> Int
  ) throws(SecretFailure) {
    var bytes = [UInt8](repeating: 0, count: capacity)
    do throws(SecretFailure) {
      let count = try unsafe Self.fill(&bytes, fill)
      // The array is shortened in place, so the bytes are not copied.
      bytes.removeLast(capacity - min(max(0, count), capacity))
    } catch {
      Self.erase(&bytes)
      throw error
    }
    self.init(bytes)
  }

  deinit { storage.withLock { Self.erase(&$0) } }

  var count: Int { storage.withLock { $0.count } }

  /// Calls a closure with the bytes.
  ///
  /// The closure must not keep a copy, because a copy is not overwritten.
  func withBytes<Result, Failure: Error>(
    _ body: ([UInt8]) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(storage.withLock { $0 })
  }

  /// Overwrites bytes with zeros in a way that the compiler cannot optimize away.
  static func erase(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      unsafe explicit_bzero(start, buffer.count)
    }
  }

  private static func fill(
    _ bytes: inout [UInt8], _ body: (UnsafeMutableRawBufferPointer) throws(SecretFailure) -> Int
  ) throws(SecretFailure) -> Int {
    let result = unsafe bytes.withUnsafeMutableBytes { buffer -> Result<Int, SecretFailure> in
      do throws(SecretFailure) { return .success(try unsafe body(buffer)) } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
