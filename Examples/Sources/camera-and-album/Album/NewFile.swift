import CCamera
import Glibc

/// Files that are there whole or not at all, and never in the place of another one.
enum NewFile {
  /// Why a file could not be saved.
  struct Failure: Error, Equatable, CustomStringConvertible {
    var directory: String
    var number: Int32

    /// The error as one line.
    var description: String {
      "cannot save in \(directory): \(unsafe String(cString: strerror(number)))"
    }
  }

  /// Saves bytes as `NAME-1.SUFFIX`, or under the next number that is free.
  ///
  /// They are on the disk when this returns. What a crash leaves is a hidden file.
  ///
  /// - Returns: The path.
  /// - Throws: ``Failure``.
  static func save(
    _ bytes: [UInt8], named name: String, _ suffix: String, in directory: String
  ) throws(Failure) -> String {
    func check(_ result: Int32) throws(Failure) -> Int32 {
      guard result >= 0 else { throw Failure(directory: directory, number: errno) }
      return result
    }
    // One look at the path: what happens to it from now on does not matter.
    let folder = try check(unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    defer { close(folder) }
    let part = ".\(name).\(getpid()).\(UInt64.random(in: 0...UInt64.max)).part"
    let file = try check(
      unsafe openat(folder, part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666))
    defer { close(file) }
    do throws(Failure) {
      try write(bytes, to: file, directory)
      _ = try check(fsync(file))
      let final = try publish(part, as: name, suffix, in: folder, directory)
      _ = try check(fsync(folder))
      return directory == "/" ? "/\(final)" : "\(directory)/\(final)"
    } catch {
      unsafe unlinkat(folder, part, 0)
      throw error
    }
  }

  private static func write(
    _ bytes: [UInt8], to file: Int32, _ directory: String
  ) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(directory: directory, number: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Gives a finished file the first free name.
  private static func publish(
    _ part: String, as name: String, _ suffix: String, in folder: Int32, _ directory: String
  ) throws(Failure) -> String {
    for number in 1...1_000_000 {
      let final = "\(name)-\(number).\(suffix)"
      var failure = unsafe ccamera_rename(folder, part, final)
      if failure == EINVAL || failure == ENOSYS {
        // A filesystem of the network may not know how to rename so.
        failure = unsafe linkat(folder, part, folder, final, 0) < 0 ? errno : 0
        if failure == 0 { unsafe unlinkat(folder, part, 0) }
      }
      if failure == 0 { return final }
      if failure != EEXIST { throw Failure(directory: directory, number: failure) }
    }
    throw Failure(directory: directory, number: EEXIST)
  }
}
