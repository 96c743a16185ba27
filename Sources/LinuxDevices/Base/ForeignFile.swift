internal import AccessModel
internal import CLinux
internal import Glibc

/// A small file in a place that a user has arranged: their home, or the root directory of their
/// process.
///
/// The caller may have more rights than that user, who can put anything there: a link to a device, or
/// a mount of a file that they cannot read. So only a regular file is opened, only one that the user
/// may read, and none of procfs, where reading can act. Links are followed inside of a home alone.
struct ForeignFile {
  /// The user who could read the file; `nil` where nothing is known of them.
  let user: UInt32?
  /// The most bytes to read.
  let limit: Int

  /// Reads a file that no link leads to.
  ///
  /// - Parameters:
  ///   - path: The path in the user's root directory.
  ///   - root: The path of that directory, without a slash at its end.
  ///   - directory: Where a relative `root` begins.
  /// - Throws: The error that keeps it from being read: `EACCES` where the user may not.
  /// - Returns: What it holds.
  func read(
    _ path: String, below root: String, in directory: Int32 = AT_FDCWD
  ) throws(Errno) -> BoundedFile.Contents {
    let top = try open(root, in: directory)
    return try contents(of: try pin(path, in: top, CLINUX_WITHOUT_LINKS))
  }

  /// Reads a file in a home directory, where links may lead to other places in it.
  ///
  /// A file elsewhere is read as ``read(_:below:in:)`` does.
  ///
  /// - Parameters:
  ///   - path: The path in the user's root directory.
  ///   - home: The home directory there.
  ///   - root: The path of the root directory, without a slash at its end.
  /// - Throws: The error that keeps it from being read: `EXDEV` where a link leads out of the home.
  /// - Returns: What it holds.
  func read(
    _ path: String, inHome home: String?, below root: String
  ) throws(Errno) -> BoundedFile.Contents {
    guard let home, path.isBelow(home) else { return try read(path, below: root) }
    let top = try open(root, in: AT_FDCWD)
    let place = try pin(home, in: top, CLINUX_INSIDE, isDirectory: true)
    let rest = path.utf8.dropFirst(home.utf8.count).drop { $0 == UInt8(ascii: "/") }
    return try contents(of: try pin(String(Substring(rest)), in: place, CLINUX_BENEATH))
  }

  private func open(_ root: String, in directory: Int32) throws(Errno) -> OwnedDescriptor {
    let number = unsafe openat(directory, ByteText("\(root)/").cString, clinux_named_directory)
    return try OwnedDescriptor(number)
  }

  private func pin(
    _ path: String, in directory: borrowing OwnedDescriptor, _ reach: clinux_reach,
    isDirectory: Bool = false
  ) throws(Errno) -> OwnedDescriptor {
    try OwnedDescriptor(
      negated: unsafe clinux_pin_path(
        directory.number, ByteText(path).cString, reach, isDirectory))
  }

  private func contents(
    of held: consuming OwnedDescriptor
  ) throws(Errno) -> BoundedFile.Contents {
    let status = try BoundedFile.status(held.number)
    guard !clinux_is_of_proc(held.number) else { throw .badDescriptor }
    guard status.st_uid == user || status.st_mode & S_IROTH != 0 else { throw .permissionDenied }
    let file = try OwnedDescriptor(negated: clinux_open_held(held.number, O_RDONLY))
    return try BoundedFile.contents(of: file.number, status, limit)
  }
}
