internal import AccessModel
internal import CLinux
internal import Glibc

/// Writes files so that other processes never see them incomplete.
enum WholeFile {
  /// Replaces a file atomically, and flushes the file and its directory to disk.
  ///
  /// - Parameters:
  ///   - bytes: The new contents.
  ///   - name: The file name.
  ///   - other: A temporary file name; an existing file with that name is removed.
  ///   - directory: A descriptor of the directory.
  ///   - mode: The permission bits.
  /// - Throws: The error of the failed system call. The old file is then unchanged, unless only the
  ///   flush of the directory failed.
  static func write(
    _ bytes: [UInt8], named name: String, by other: String, in directory: Int32, mode: mode_t
  ) throws(Errno) {
    unsafe unlinkat(directory, ByteText(other).cString, 0)
    let file = try OwnedDescriptor(
      unsafe openat(
        directory, ByteText(other).cString, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
        mode))
    do throws(Errno) {
      try Errno.check(fchmod(file.number, mode))
      try fill(file.number, with: bytes)
      try Errno.check(
        unsafe renameat(directory, ByteText(other).cString, directory, ByteText(name).cString))
    } catch {
      unsafe unlinkat(directory, ByteText(other).cString, 0)
      throw error
    }
    try Errno.check(fsync(directory))
  }

  /// Writes bytes to a new file and flushes it to disk.
  ///
  /// - Throws: `EFBIG` at the file size limit of the process, without a `SIGXFSZ` signal, or
  ///   another error of a system call.
  static func fill(_ file: Int32, with bytes: [UInt8]) throws(Errno) {
    var start = 0
    while start < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
        return unsafe clinux_write_limited(file, rest.baseAddress, rest.count)
      }
      if count == -Int(EINTR) { continue }
      guard count >= 0 else { throw Errno(negated: Int32(clamping: count)) }
      // Otherwise, a write of zero bytes would be repeated forever.
      guard count > 0 else { throw .inputOutput }
      start += count
    }
    try Errno.check(fsync(file))
  }
}
