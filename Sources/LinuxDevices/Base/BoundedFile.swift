internal import AccessModel
internal import CLinux
internal import Glibc

/// Reads files that others write, never more of them than was agreed.
enum BoundedFile {
  /// What a file holds, from its beginning.
  struct Contents: Sendable {
    var bytes: [UInt8]
    /// Whether the file goes on after what was read.
    var isTruncated: Bool
  }

  /// Reads at most `limit` bytes of a regular file.
  ///
  /// It never waits: what is no regular file is refused (`EBADF`) before it is read. But it is opened,
  /// so where others choose what the path leads to, it takes ``ForeignFile`` or ``readHeld(_:limit:)``.
  ///
  /// - Parameters:
  ///   - path: The path, from `directory` on unless it is absolute.
  ///   - directory: A descriptor of a directory; the working directory unless given.
  ///   - limit: The most bytes.
  /// - Throws: The error that keeps it from being read.
  /// - Returns: What it holds.
  static func read(
    _ path: String, in directory: Int32 = AT_FDCWD, limit: Int
  ) throws(Errno) -> Contents {
    let descriptor = try open(path, in: directory)
    defer { close(descriptor) }
    return try contents(of: descriptor, try status(descriptor), limit)
  }

  /// Reads at most `limit` bytes of a regular file, as ``read(_:in:limit:)`` does, and looks at the
  /// file before and after.
  ///
  /// - Throws: The error that keeps it from being read.
  /// - Returns: What it holds, and what the kernel said of it before and after.
  static func reading(
    _ path: String, limit: Int
  ) throws(Errno) -> (contents: Contents, before: stat, after: stat) {
    let descriptor = try open(path, in: AT_FDCWD)
    defer { close(descriptor) }
    let before = try status(descriptor)
    let contents = try contents(of: descriptor, before, limit)
    return (contents, before, try status(descriptor))
  }

  /// Reads at most `limit` bytes of a regular file, and opens nothing else.
  ///
  /// - Parameters:
  ///   - path: The path, whose links are followed.
  ///   - limit: The most bytes.
  /// - Throws: The error that keeps it from being read.
  /// - Returns: What it holds.
  static func readHeld(_ path: String, limit: Int) throws(Errno) -> Contents {
    let held = try OwnedDescriptor(negated: unsafe clinux_pin_followed(ByteText(path).cString))
    _ = try status(held.number)
    let descriptor: Int32
    do throws(Errno) {
      descriptor = try Errno.check(negated: clinux_open_held(held.number, O_RDONLY))
    } catch {
      guard error == .noSystemCall else { throw error }
      // Without /proc there is no way from the descriptor to the file.
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

  /// The status of a regular file.
  ///
  /// - Throws: `EBADF` for anything else.
  static func status(_ descriptor: Int32) throws(Errno) -> stat {
    var status = stat()
    try Errno.check(unsafe fstat(descriptor, &status))
    guard status.st_mode & S_IFMT == S_IFREG else { throw .badDescriptor }
    return status
  }

  /// The rest of an open file, at most `limit` bytes.
  static func contents(
    of descriptor: Int32, _ status: stat, _ limit: Int
  ) throws(Errno) -> Contents {
    // Files of /proc have the size 0: only reading tells.
    var bytes: [UInt8] = []
    // Whoever owns a file gives it any size.
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
      // Most files are one part, which ends where the kernel said.
      if bytes.isEmpty { bytes = part } else { bytes += part }
      if part.count < wanted, bytes.count == Int(status.st_size) {
        return Contents(bytes: bytes, isTruncated: false)
      }
    }
    bytes.removeLast(bytes.count - limit)
    return Contents(bytes: bytes, isTruncated: true)
  }

  /// Reads a file of one short line, such as an attribute in sysfs, without its line end.
  static func line(_ path: String, limit: Int = 4096) throws(Errno) -> String {
    line(of: try read(path, limit: limit).bytes, limit: limit)
  }

  /// The text of a file of one short line, without its line end.
  static func line(of bytes: [UInt8], limit: Int) -> String {
    var bytes = bytes[...]
    while let last = bytes.last, last == UInt8(ascii: "\n") || last == 0 { bytes.removeLast() }
    return String(repairing: bytes, limit: limit)
  }
}
