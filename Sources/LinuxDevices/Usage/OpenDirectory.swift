internal import AccessModel
internal import Glibc

/// A directory that is held open.
///
/// One below `/proc/PID` stays that of the one process: once that has ended, every look into it
/// fails, also when its number has been given to another.
struct OpenDirectory: ~Copyable {
  let descriptor: Int32

  /// Opens a directory from another one on, or from the working directory.
  init(_ name: String, in directory: Int32 = AT_FDCWD) throws(Errno) {
    let opened = unsafe openat(
      directory, ByteText(name).cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw .current }
    descriptor = opened
  }

  deinit { close(descriptor) }
}
