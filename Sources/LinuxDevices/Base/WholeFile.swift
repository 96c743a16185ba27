internal import AccessModel
internal import Glibc

/// Writes files that are never seen half written.
enum WholeFile {
  /// Writes a new file and gives it the name of the old one.
  ///
  /// - Parameters:
  ///   - bytes: What it holds.
  ///   - name: Its name.
  ///   - other: The name that it has until it is whole; a file of that name is replaced.
  ///   - directory: A descriptor of the directory.
  ///   - mode: Its permission bits.
  /// - Throws: What keeps it from being written; the old file then stays.
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
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes {
          unsafe Glibc.write(file.number, $0.baseAddress, $0.count)
        }
        if count < 0 {
          if Errno.current == .interrupted { continue }
          throw .current
        }
        rest = rest.dropFirst(count)
      }
      try Errno.check(fsync(file.number))
      try Errno.check(
        unsafe renameat(directory, ByteText(other).cString, directory, ByteText(name).cString))
    } catch {
      unsafe unlinkat(directory, ByteText(other).cString, 0)
      throw error
    }
  }
}
