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

  /// Makes room for so many bytes, and fills it.
  ///
  /// The closure fills the room from its start, and returns how much of it. What it wrote is
  /// overwritten when it throws.
  convenience init(
    capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(SecretProblem) -> Int
  ) throws(SecretProblem) {
    var bytes = [UInt8](repeating: 0, count: capacity)
    do throws(SecretProblem) {
      let count = try unsafe Self.fill(&bytes, fill)
      // Fewer elements in the same memory: what was filled is not copied.
      bytes.removeLast(capacity - min(max(0, count), capacity))
    } catch {
      Wiping.wipe(&bytes)
      throw error
    }
    self.init(bytes)
  }

  deinit { storage.withLock { Wiping.wipe(&$0) } }

  var count: Int { storage.withLock { $0.count } }

  /// Calls a closure with the bytes, which it must not keep: a copy would not be overwritten.
  func withBytes<Result, Failure: Error>(
    _ body: ([UInt8]) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(storage.withLock { $0 })
  }

  private static func fill(
    _ bytes: inout [UInt8], _ body: (UnsafeMutableRawBufferPointer) throws(SecretProblem) -> Int
  ) throws(SecretProblem) -> Int {
    let result = unsafe bytes.withUnsafeMutableBytes { room -> Result<Int, SecretProblem> in
      do throws(SecretProblem) { return .success(try unsafe body(room)) } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

/// Overwrites memory that held a secret.
enum Wiping {
  /// Overwrites the bytes with zeros, also where the compiler sees that nobody reads them again.
  static func wipe(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { room in
      guard let start = room.baseAddress else { return }
      unsafe explicit_bzero(start, room.count)
    }
  }
}
