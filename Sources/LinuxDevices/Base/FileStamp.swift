internal import AccessModel
internal import CLinux
internal import Glibc

/// What tells whether anybody has written to a file since it was read.
struct FileStamp: Equatable, Sendable {
  private let device: dev_t
  private let inode: ino_t
  private let size: Int
  /// Seconds, and the nanoseconds beside them.
  private let (modified, modifiedRest): (Int, Int)
  private let (changed, changedRest): (Int, Int)

  init(_ status: stat) {
    (device, inode, size) = (status.st_dev, status.st_ino, Int(status.st_size))
    (modified, modifiedRest) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    (changed, changedRest) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
  }

  /// Asks for that of the file that a path leads to.
  ///
  /// - Throws: The error number of stat(2).
  init(of path: String) throws(Errno) {
    var status = stat()
    try Errno.check(unsafe stat(ByteText(path).cString, &status))
    self.init(status)
  }

  /// Whether the next writer gives the file another stamp for certain: filesystems count the time in
  /// steps of up to two seconds (FAT).
  var isSettled: Bool {
    var now = timespec()
    return unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 && changed < now.tv_sec - 2
  }
}
