internal import AccessModel
internal import Glibc

/// A directory that is held open.
///
/// A directory in `/proc/PID` always refers to the same process. After the process has ended, every
/// access through the directory fails, even if the process ID has been reused.
struct OpenDirectory: ~Copyable {
  let descriptor: Int32

  /// Opens a directory relative to another directory, which defaults to the working directory.
  init(_ name: String, in directory: Int32 = AT_FDCWD) throws(Errno) {
    let opened = unsafe openat(
      directory, ByteText(name).cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw .current }
    descriptor = opened
  }

  deinit { close(descriptor) }
}
