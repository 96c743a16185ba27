internal import AccessModel
internal import CLinux
internal import Glibc

/// Reads files that other programs write, up to a limit.
enum BoundedFile {
  /// The beginning of a file, or all of it.
  struct Contents: Sendable {
    var bytes: [UInt8]
    /// A Boolean value that indicates whether the file is longer than the bytes that were read.
    var isTruncated: Bool
  }

  /// Reads at most `limit` bytes of a regular file.
  ///
  /// Other objects are refused with `EBADF` before anything is read, so the call does not wait for
  /// a FIFO or a device. However, such an object has been opened by then. If another user controls
  /// the path, use ``ForeignFile`` or ``readHeld(_:limit:)`` instead.
  ///
  /// - Parameters:
  ///   - path: An absolute path, or one relative to `directory`.
  ///   - directory: A descriptor of a directory, by default the working directory.
  ///   - limit: The maximum number of bytes.
  /// - Throws: The error from opening or reading the file.
  /// - Returns: The contents.
  static func read(
    _ path: String, in directory: Int32 = AT_FDCWD, limit: Int
  ) throws(Errno) -> Contents {
    let descriptor = try open(path, in: directory)
    defer { close(descriptor) }
    return try contents(of: descriptor, try status(descriptor), limit)
  }

  /// Reads at most `limit` bytes of a regular file, with its status before and after.
  ///
  /// The call behaves like ``read(_:in:limit:)``.
  ///
  /// - Throws: The error from opening or reading the file.
  /// - Returns: The contents, and the results of fstat(2) before and after reading.
  static func reading(
    _ path: String, limit: Int
  ) throws(Errno) -> (contents: Contents, before: stat, after: stat) {
    let descriptor = try open(path, in: AT_FDCWD)
    defer { close(descriptor) }
    let before = try status(descriptor)
    let contents = try contents(of: descriptor, before, limit)
    return (contents, before, try status(descriptor))
  }

  /// Reads at most `limit` bytes of a regular file without opening objects of any other type.
  ///
  /// If `/proc` is not mounted, the call behaves like ``read(_:in:limit:)``.
  ///
  /// - Parameters:
  ///   - path: The path, whose symbolic links are followed.
  ///   - limit: The maximum number of bytes.
  /// - Throws: The error from opening or reading the file.
  /// - Returns: The contents.
  static func readHeld(_ path: String, limit: Int) throws(Errno) -> Contents {
    let held = try OwnedDescriptor(negated: unsafe clinux_pin_followed(ByteText(path).cString))
    _ = try status(held.number)
    let descriptor: Int32
    do throws(Errno) {
      descriptor = try Errno.check(negated: clinux_open_held(held.number, O_RDONLY))
    } catch {
      guard error == .noSystemCall else { throw error }
      // A pinned file can only be opened through /proc.
      return try read(path, limit: limit)
    }
    defer { close(descriptor) }
    return try contents(of: descriptor, try status(descriptor), limit)
  }

  private static func open(_ path: String, in directory: Int32) throws(Errno) -> Int32 {
    let descriptor = unsafe openat(
      directory, ByteText(path).cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .current }
    return descriptor
  }

  /// Returns the status of a regular file.
  ///
  /// - Throws: `EBADF` for any other object.
  static func status(_ descriptor: Int32) throws(Errno) -> stat {
    var status = stat()
    try Errno.check(unsafe fstat(descriptor, &status))
    guard status.st_mode & S_IFMT == S_IFREG else { throw .badDescriptor }
    return status
  }

  /// Reads an open file from its current offset, at most `limit` bytes.
  static func contents(
    of descriptor: Int32, _ status: stat, _ limit: Int
  ) throws(Errno) -> Contents {
    // Files in procfs report a size of 0, so only reading finds their end.
    var bytes: [UInt8] = []
    // The owner of a file can give it any size, so the buffer is bounded.
    let step = max(min(Int(status.st_size), 1 << 20) + 1, 4096)
    while bytes.count <= limit {
      let wanted = min(step, limit - bytes.count + 1)
      var failure: Errno?
      let part = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        let result = unsafe Glibc.read(descriptor, buffer.baseAddress, wanted)
        if result < 0 { failure = .current }
        count = max(result, 0)
      }
      if let failure {
        if failure != .interrupted { throw failure }
        continue
      }
      if part.isEmpty { return Contents(bytes: bytes, isTruncated: false) }
      // Most files are read in one part of the expected size, without another read for the end of
      // file.
      if bytes.isEmpty { bytes = part } else { bytes += part }
      if part.count < wanted, bytes.count == Int(status.st_size) {
        return Contents(bytes: bytes, isTruncated: false)
      }
    }
    bytes.removeLast(bytes.count - limit)
    return Contents(bytes: bytes, isTruncated: true)
  }

  /// Reads a file that contains one short line, such as a sysfs attribute, without its line ending.
  static func line(_ path: String, limit: Int = 4096) throws(Errno) -> String {
    line(of: try read(path, limit: limit).bytes, limit: limit)
  }

  /// Returns the text of a file that contains one short line, without its line ending.
  static func line(of bytes: [UInt8], limit: Int) -> String {
    var bytes = bytes[...]
    while let last = bytes.last, last == UInt8(ascii: "\n") || last == 0 { bytes.removeLast() }
    return String(repairing: bytes, limit: limit)
  }
}

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
  /// - Throws: The error from opening or reading the file; `EACCES` if the user is not permitted to
  ///   read it.
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
