internal import AccessModel
internal import CLinux
internal import Glibc

/// A stamp of a file's status, which shows whether the file was written since it was read.
struct FileStamp: Equatable, Sendable {
  private let device: dev_t
  private let inode: ino_t
  private let size: Int
  /// The seconds and nanoseconds of each time.
  private let (modified, modifiedRest): (Int, Int)
  private let (changed, changedRest): (Int, Int)

  init(_ status: stat) {
    (device, inode, size) = (status.st_dev, status.st_ino, Int(status.st_size))
    (modified, modifiedRest) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    (changed, changedRest) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
  }

  /// Reads the stamp of the file at a path, following symbolic links.
  ///
  /// - Throws: The error from stat(2).
  init(of path: String) throws(Errno) {
    var status = stat()
    try Errno.check(unsafe stat(ByteText(path).cString, &status))
    self.init(status)
  }

  /// A Boolean value that indicates whether any further write is certain to change the stamp.
  ///
  /// Filesystems store times with a resolution of up to two seconds (FAT).
  var isSettled: Bool {
    var now = timespec()
    return unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 && changed < now.tv_sec - 2
  }
}
