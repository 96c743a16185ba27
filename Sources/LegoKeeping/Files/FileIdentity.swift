internal import Glibc

/// Which content a file has: another one, once somebody has replaced or rewritten the file.
///
/// Whoever holds the file open can tell every replacement, since the number of an open file is not
/// given to another.
struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let number: UInt64
  private let size: Int64
  private let times: [Int]

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    size = Int64(status.st_size)
    times = [
      Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec), Int(status.st_ctim.tv_sec),
      Int(status.st_ctim.tv_nsec),
    ]
  }
}
