internal import Glibc

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
