internal import Glibc

/// The open directory of a kept file, and the operations on that file.
///
/// All operations use the descriptor of the directory, so they never affect files outside it, even
/// if the path changes. Call `replace(with:replaced:)` and `setAside(_:)` only inside `locked(_:)`.
final class KeptDirectory: Sendable {
  private let directory: Descriptor
  let name: FileName
  /// The path of the file, for error messages.
  let path: String

  init(_ name: FileName, at path: String) throws(KeepingError) {
    self.name = name
    self.path = "\(path)/\(name.file)"
    directory = try TrustedDirectory.open(path, for: self.path)
  }

  /// A path that refers to this directory for as long as it is open.
  var kernelPath: String { "/proc/self/fd/\(directory.number)" }

  /// Calls a closure while holding the file lock.
  ///
  /// - Throws: `.busy` if the lock does not become free within ten seconds, `.notWritten` if the
  ///   lock file cannot be opened, or the error that the closure throws.
  func locked<Result>(
    _ body: () throws(KeepingError) -> Result
  ) throws(KeepingError) -> Result {
    let lock: FileLock
    do throws(SystemCallError) {
      // The lock file is opened each time, because a read-only directory may become writable later.
      lock = try FileLock(name.lock, in: directory.number, within: 10_000)
    } catch {
      if error.errno == EWOULDBLOCK {
        throw KeepingError(.busy, path, "another program has held its lock for ten seconds")
      }
      throw KeepingError(.notWritten, path, error)
    }
    let result = try body()
    // Closing the file releases the lock, even if the body throws an error.
    lock.release()
    return result
  }

  /// Returns the identity of the file's current content, or `nil` if the file does not exist.
  func identity() throws(SystemCallError) -> FileIdentity? {
    var status = stat()
    do throws(SystemCallError) {
      try SystemCallError.check("fstatat") {
        unsafe fstatat(directory.number, name.file, &status, AT_SYMLINK_NOFOLLOW)
      }
    } catch {
      if error.errno == ENOENT { return nil }
      throw error
    }
    return FileIdentity(status)
  }

  /// Reads the file.
  ///
  /// A FIFO does not block the call. If the file is not a regular file, belongs to another user, is
  /// larger than the limit, or cannot be read, the content is `.unreadable`.
  ///
  /// - Throws: An error for a problem unrelated to the file, such as a lack of descriptors or
  ///   memory.
  /// - Returns: The file, or `nil` if it does not exist.
  func read(limit: Int) throws(SystemCallError) -> FileSnapshot? {
    guard let seen = try identity() else { return nil }
    let file: Descriptor
    do throws(SystemCallError) {
      file = try Descriptor.open(name.file, in: directory.number, O_RDONLY | O_NONBLOCK)
    } catch {
      if error.errno == ENOENT { return nil }
      if error.isResourceShortage { throw error }
      let reason = error.errno == ELOOP ? "it is a symbolic link" : error.description
      return FileSnapshot(content: .unreadable(reason), identity: seen, descriptor: nil)
    }
    let status = try file.status()
    let content: FileSnapshot.Content
    if status.st_mode & S_IFMT != S_IFREG {
      content = .unreadable("it is not a regular file")
    } else if status.st_uid != geteuid() {
      content = .unreadable("it belongs to user \(status.st_uid)")
    } else {
      content = try file.content(limit: limit, expecting: Int(status.st_size))
    }
    return FileSnapshot(content: content, identity: FileIdentity(status), descriptor: file)
  }

  /// Removes the temporary file that an interrupted write left behind, unless a program holds the
  /// lock.
  func cleanUp() {
    guard let lock = try? FileLock(name.lock, in: directory.number, within: 0) else { return }
    removeTemporaryFile()
    lock.release()
  }

  private func removeTemporaryFile() {
    unsafe unlinkat(directory.number, name.temporaryFile, 0)
  }

  /// Replaces the file atomically.
  ///
  /// When the method returns, the new content is on disk. If it throws an error, the file is
  /// unchanged, unless the error occurred after the rename.
  ///
  /// - Parameters:
  ///   - bytes: The new content.
  ///   - replaced: A closure that receives the new file as soon as it has replaced the old one.
  /// - Throws: The error from the system call that failed, such as `ENOSPC`.
  func replace(
    with bytes: [UInt8], replaced: (FileSnapshot) -> Void
  ) throws(SystemCallError) {
    removeTemporaryFile()
    let newFile = try Descriptor.open(
      name.temporaryFile, in: directory.number, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    do throws(SystemCallError) {
      try newFile.write(bytes)
      let (from, to) = (directory.number, newFile.number)
      try SystemCallError.check("fchmod") { fchmod(to, 0o600) }
      try SystemCallError.check("fsync") { fsync(to) }
      try SystemCallError.check("rename") {
        unsafe renameat(from, name.temporaryFile, from, name.file)
      }
    } catch {
      removeTemporaryFile()
      throw error
    }
    // The identity is read after renaming, because renaming changes the times of the file.
    let identity = FileIdentity(try newFile.status())
    replaced(FileSnapshot(content: .bytes([]), identity: identity, descriptor: newFile))
    try sync()
  }

  /// Renames the file to an unused name.
  ///
  /// - Returns: The new name, or `nil` if a hundred files have already been set aside.
  func setAside(_ why: SetAsideReason) throws(SystemCallError) -> String? {
    for number in 1...100 {
      let free = name.aside(why, number)
      var status = stat()
      if unsafe fstatat(directory.number, free, &status, AT_SYMLINK_NOFOLLOW) == 0 { continue }
      let failure = SystemCallError.current("fstatat")
      guard failure.errno == ENOENT else { throw failure }
      let at = directory.number
      try SystemCallError.check("rename") { unsafe renameat(at, name.file, at, free) }
      try sync()
      return free
    }
    return nil
  }

  /// Returns a Boolean value that indicates whether the directory has been removed.
  func wasRemoved() -> Bool {
    guard let status = try? directory.status() else { return true }
    return status.st_nlink == 0
  }

  private func sync() throws(SystemCallError) {
    let number = directory.number
    do throws(SystemCallError) {
      try SystemCallError.check("fsync of the directory") { fsync(number) }
    } catch {
      // Some file systems cannot sync a directory.
      if error.errno != EINVAL { throw error }
    }
  }
}

/// The names of a kept file, its temporary file, and its lock file.
struct FileName: Hashable, Sendable {
  /// The name of the kept file.
  let file: String
  /// The name of the file that receives new content before it is renamed to `file`.
  var temporaryFile: String { ".\(file).part" }
  /// The name of the file that writers lock.
  var lock: String { ".\(file).lock" }

  /// Creates the names for a kept file, or returns `nil` if the given name is not valid.
  ///
  /// - Parameter name: The name without its extension.
  init?(_ name: String) {
    guard Self.isPlain(name), name.utf8.count <= 100 else { return nil }
    file = "\(name).json"
  }

  /// Returns the new name of a file that is set aside.
  func aside(_ why: SetAsideReason, _ number: Int) -> String { "\(file).\(why.rawValue)-\(number)" }

  /// Returns a Boolean value that indicates whether a string is a valid name for a file that is not
  /// hidden.
  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 255
      && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }
}

/// The reason for setting a file aside.
enum SetAsideReason: String, Sendable {
  /// The file cannot be read or decoded.
  case unreadable
  /// Another program has written the file, and this program is about to replace it.
  case replaced
}

/// The content and identity of a kept file at one point in time.
final class FileSnapshot: Sendable {
  /// The bytes of the file, or the reason why they cannot be read.
  enum Content: Sendable {
    case bytes([UInt8])
    /// The file cannot be read, for the given reason.
    case unreadable(String)
  }

  let content: Content
  let identity: FileIdentity
  /// The open file, or `nil` if it could not be opened.
  ///
  /// While the file is open, its inode number is not reused.
  let descriptor: Descriptor?

  init(content: Content, identity: FileIdentity, descriptor: consuming Descriptor?) {
    self.content = content
    self.identity = identity
    self.descriptor = descriptor
  }
}

/// A value that identifies the content of a file.
///
/// The identity changes when the file is rewritten or replaced. As long as a program keeps the file
/// open, the inode number is not reused, so every replacement has a different identity.
struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let number: UInt64
  private let size: Int64
  private let times: [Int]

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
    size = Int64(status.st_size)
    times = [
      Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec), Int(status.st_ctim.tv_sec),
      Int(status.st_ctim.tv_nsec),
    ]
  }
}

/// A lock, based on flock(2), that excludes other programs and other stores in this program.
struct FileLock: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// Acquires the lock, waiting for it if necessary.
  ///
  /// - Parameters:
  ///   - name: The name of the lock file, which is created if it does not exist.
  ///   - directory: The descriptor of the directory.
  ///   - milliseconds: The maximum waiting time. The limit keeps a suspended program from blocking
  ///     all others.
  /// - Throws: `EWOULDBLOCK` if the lock does not become free in time, or another error if the file
  ///   cannot be opened or locked.
  init(_ name: String, in directory: Int32, within milliseconds: Int) throws(SystemCallError) {
    let file = try Descriptor.open(name, in: directory, O_RDWR | O_CREAT | O_NONBLOCK, mode: 0o600)
    try Self.take(file.number, within: milliseconds)
    descriptor = file
  }

  private static func take(_ file: Int32, within milliseconds: Int) throws(SystemCallError) {
    var waited = 0
    var pause = 1
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      let failure = SystemCallError.current("flock")
      if failure.errno == EINTR { continue }
      guard failure.errno == EWOULDBLOCK, waited < milliseconds else { throw failure }
      usleep(UInt32(pause) * 1_000)
      waited += pause
      pause = min(pause * 2, 50)
    }
  }

  /// Releases the lock.
  consuming func release() {}
}
