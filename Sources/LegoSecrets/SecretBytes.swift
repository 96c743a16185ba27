internal import Glibc
internal import Synchronization

/// The bytes of a secret, overwritten when nobody holds them any more.
final class SecretBytes: Sendable {
  /// The largest secret, which is also the largest credential of systemd.
  static let limit = 1 << 20

  private let storage: Mutex<[UInt8]>

  /// Takes bytes over; the caller keeps no copy.
  init(_ bytes: consuming [UInt8]) {
    storage = Mutex(bytes)
  }

  /// Makes buffer for so many bytes, and fills it.
  ///
  /// The closure fills the buffer from its start, and returns how much of it. What it wrote is
  /// overwritten when it throws.
  convenience init(
    capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(SecretFailure) -> Int
  ) throws(SecretFailure) {
    var bytes = [UInt8](repeating: 0, count: capacity)
    do throws(SecretFailure) {
      let count = try unsafe Self.fill(&bytes, fill)
      // Fewer elements in the same memory: what was filled is not copied.
      bytes.removeLast(capacity - min(max(0, count), capacity))
    } catch {
      Self.erase(&bytes)
      throw error
    }
    self.init(bytes)
  }

  deinit { storage.withLock { Self.erase(&$0) } }

  var count: Int { storage.withLock { $0.count } }

  /// Calls a closure with the bytes, which it must not keep: a copy would not be overwritten.
  func withBytes<Result, Failure: Error>(
    _ body: ([UInt8]) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(storage.withLock { $0 })
  }

  /// Overwrites bytes with zeros, even if the compiler knows that they are not read again.
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
