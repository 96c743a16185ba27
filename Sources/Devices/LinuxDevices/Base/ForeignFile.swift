internal import AccessModel
internal import CLinux
internal import Glibc

/// Reads a small file in a directory tree that another user controls.
///
/// Such a tree is the user's home directory, or the root directory of one of the user's processes.
///
/// The caller may have more privileges than that user, who can create a link to a device or mount a
/// file that the user cannot read. Therefore only regular files are opened, and only those that the
/// user owns or everybody may read. Files in procfs are not read, because reading them can have
/// side effects. Symbolic links are followed only within a home directory.
struct ForeignFile {
  /// The user who controls the tree; `nil` if the user is unknown.
  let user: UInt32?
  /// The maximum number of bytes to read.
  let limit: Int

  /// Reads a file whose path contains no symbolic links.
  ///
  /// - Parameters:
  ///   - path: The path in the user's root directory.
  ///   - root: The path of that root directory, without a trailing slash.
  ///   - directory: The directory that a relative `root` starts from.
  /// - Throws: The error from opening or reading the file; `EACCES` if the user may not read it.
  /// - Returns: The contents.
  func read(
    _ path: String, below root: String, in directory: Int32 = AT_FDCWD
  ) throws(Errno) -> BoundedFile.Contents {
    let top = try open(root, in: directory)
    return try contents(of: try pin(path, in: top, CLINUX_WITHOUT_LINKS))
  }

  /// Reads a file in a home directory, following symbolic links that stay in it.
  ///
  /// A file outside of the home directory is read without following links, as in
  /// ``read(_:below:in:)``.
  ///
  /// - Parameters:
  ///   - path: The path in the user's root directory.
  ///   - home: The home directory, as a path in the user's root directory.
  ///   - root: The path of that root directory, without a trailing slash.
  /// - Throws: The error from opening or reading the file; `EXDEV` if a link leads out of the home
  ///   directory.
  /// - Returns: The contents.
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
