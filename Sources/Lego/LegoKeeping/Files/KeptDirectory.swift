internal import Glibc

/// The open directory of a kept file, and the operations on the file.
///
/// All operations use the descriptor of the directory, so they never affect anything outside it,
/// even if the path changes. Methods that change files require the lock.
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

  /// A path that always refers to this open directory.
  var kernelPath: String { "/proc/self/fd/\(directory.number)" }

  /// Runs a closure while holding the lock.
  ///
  /// - Throws: `.busy` if the lock is not free within ten seconds, `.notWritten` if it cannot be
  ///   opened.
  func locked<Result>(
    _ body: () throws(KeepingError) -> Result
  ) throws(KeepingError) -> Result {
    let lock: FileLock
    do throws(SystemCallError) {
      // Opened each time, because a read-only directory may become writable later.
      lock = try FileLock(name.lock, in: directory.number, within: 10_000)
    } catch {
      if error.errno == EWOULDBLOCK {
        throw KeepingError(.busy, path, "another program has held its lock for ten seconds")
      }
      throw KeepingError(.notWritten, path, error)
    }
    let result = try body()
    // Closing the file releases the lock, also if the body throws.
    lock.release()
    return result
  }

  /// The identity of the file's current content; `nil` if the file does not exist.
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

  /// Reads the file, without blocking and only up to the limit.
  ///
  /// - Throws: An error that gives no information about the file: too few descriptors or too little
  ///   memory.
  /// - Returns: The content of the file; `nil` if it does not exist.
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

  /// Removes the temporary file of an interrupted writer, unless a program is writing now.
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
  /// When this returns, the content is on the disk. If it throws, the file is unchanged, unless
  /// only the sync of the directory failed.
  ///
  /// - Parameters:
  ///   - bytes: The new content.
  ///   - replaced: Receives the new file after it has replaced the old one.
  /// - Throws: The error of writing, such as `ENOSPC`.
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
    // Renaming also changes the times of the file.
    let identity = FileIdentity(try newFile.status())
    replaced(FileSnapshot(content: .bytes([]), identity: identity, descriptor: newFile))
    try sync()
  }

  /// Moves the file to an unused name.
  ///
  /// - Returns: The new name; `nil` if a hundred files have already been set aside.
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

  /// A Boolean value that indicates whether the directory was removed.
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

/// The names of a kept file and of its temporary and lock files.
struct FileName: Hashable, Sendable {
  /// The name of the kept file.
  let file: String
  /// The file that receives new content before it is renamed to `file`.
  var temporaryFile: String { ".\(file).part" }
  /// The file that writers lock.
  var lock: String { ".\(file).lock" }

  /// - Parameter name: The name without its extension. The result is `nil` if it is not valid.
  init?(_ name: String) {
    guard Self.isPlain(name), name.utf8.count <= 100 else { return nil }
    file = "\(name).json"
  }

  /// The name for a file that is set aside.
  func aside(_ why: SetAsideReason, _ number: Int) -> String { "\(file).\(why.rawValue)-\(number)" }

  /// Returns whether a string is a single, non-hidden file name.
  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 255
      && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }
}

/// The reason to set a file aside.
enum SetAsideReason: String, Sendable {
  /// The file cannot be read.
  case unreadable
  /// Another program wrote the file, and this program writes its own value.
  case replaced
}

/// The content of the kept file at a point in time.
final class FileSnapshot: Sendable {
  /// The content of the file, or the reason for its absence.
  enum Content: Sendable {
    case bytes([UInt8])
    /// The file has no valid content, for this reason.
    case unreadable(String)
  }

  let content: Content
  let identity: FileIdentity
  /// Keeps the file open so that its inode number is not reused; `nil` if it cannot be opened.
  let descriptor: Descriptor?

  init(content: Content, identity: FileIdentity, descriptor: consuming Descriptor?) {
    self.content = content
    self.identity = identity
    self.descriptor = descriptor
  }
}

/// Identifies the content of a file.
///
/// It changes when the file is replaced or rewritten.
///
/// While a program keeps the file open, every replacement has a different identity, because the
/// inode number of an open file is not reused.
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

/// A held lock between programs, and between stores of one program (flock(2)).
struct FileLock: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// Acquires the lock if it is free or becomes free within a time limit.
  ///
  /// - Parameters:
  ///   - name: The file to lock. It is created if it does not exist.
  ///   - directory: The directory.
  ///   - milliseconds: The time limit. Without one, a single stopped program would block all
  ///     others.
  /// - Throws: `EWOULDBLOCK` if the lock does not become free, or the error of opening the file.
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
