internal import AccessModel
internal import CLinux
internal import Glibc

/// Writes files that are never seen half written.
enum WholeFile {
  /// Writes a new file, gives it the name of the old one, and has the disk keep both.
  ///
  /// - Parameters:
  ///   - bytes: What it holds.
  ///   - name: Its name.
  ///   - other: The name that it has until it is whole; a file of that name is replaced.
  ///   - directory: A descriptor of the directory.
  ///   - mode: Its permission bits.
  /// - Throws: What keeps it from being written; the old file then stays, unless only the disk does not
  ///   keep the name.
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

  /// Writes bytes to a new file, and has the disk keep them.
  ///
  /// - Throws: `EFBIG` at the limit of the process, whose signal is held back, and what else the
  ///   kernel answers.
  static func fill(_ file: Int32, with bytes: [UInt8]) throws(Errno) {
    var start = 0
    while start < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
        return unsafe clinux_write_limited(file, rest.baseAddress, rest.count)
      }
      if count == -Int(EINTR) { continue }
      guard count >= 0 else { throw Errno(negated: Int32(clamping: count)) }
      // Nothing written and no error: it would never end.
      guard count > 0 else { throw .inputOutput }
      start += count
    }
    try Errno.check(fsync(file))
  }
}
