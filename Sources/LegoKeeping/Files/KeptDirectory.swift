internal import Glibc

/// The open directory of a kept file, and all that is done in it.
///
/// Everything is done by descriptors, so that nothing outside the directory is touched, whatever
/// happens to the path. The methods that change something need the lock.
final class KeptDirectory: Sendable {
  private let directory: Descriptor
  let name: FileName
  /// The path of the file, for errors.
  let path: String

  init(_ name: FileName, at path: String) throws(KeepingError) {
    self.name = name
    self.path = "\(path)/\(name.file)"
    directory = try TrustedDirectory.open(path, for: self.path)
  }

  /// The path by which the kernel finds this very directory.
  var kernelPath: String { "/proc/self/fd/\(directory.number)" }

  /// Does something with the lock held.
  ///
  /// - Throws: `.busy` when the lock is not free for ten seconds, `.notWritten` when it cannot be
  ///   opened.
  func locked<Result>(
    _ body: () throws(KeepingError) -> Result
  ) throws(KeepingError) -> Result {
    let lock: FileLock
    do throws(SystemCallError) {
      // Opened each time: a directory that can only be read now may be written later.
      lock = try FileLock(name.lock, in: directory.number, within: 10_000)
    } catch {
      if error.errno == EWOULDBLOCK {
        throw KeepingError(.busy, path, "another program has held its lock for ten seconds")
      }
      throw KeepingError(.notWritten, path, error)
    }
    let result = try body()
    // Closing it gives it back, also when the body throws.
    lock.release()
    return result
  }

  /// Whether the file is there, and which content it has.
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

  /// Reads the file, never waiting and never more than the limit.
  ///
  /// - Throws: A failure that says nothing about the file: too few descriptors or too little
  ///   memory.
  /// - Returns: What is there, or `nil` when there is no file.
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

  /// Removes what a program left that was ended while it wrote, unless one is writing now.
  func cleanUp() {
    guard let lock = try? FileLock(name.lock, in: directory.number, within: 0) else { return }
    removeTemporaryFile()
    lock.release()
  }

  private func removeTemporaryFile() {
    unsafe unlinkat(directory.number, name.temporaryFile, 0)
  }

  /// Writes new content, which takes the place of the old one in one step.
  ///
  /// When it returns, the content is on the disk. When it throws, the file is what it was, unless
  /// only the directory could not be synced.
  ///
  /// - Parameters:
  ///   - bytes: The new content.
  ///   - replaced: Gets the new file once it has taken the place.
  /// - Throws: What keeps it from being written, such as `ENOSPC`.
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
    // Renaming changes the file's times, too.
    let identity = FileIdentity(try newFile.status())
    replaced(FileSnapshot(content: .bytes([]), identity: identity, descriptor: newFile))
    try sync()
  }

  /// Moves the file to a name that no other has.
  ///
  /// - Returns: The new name, or `nil` when a hundred files were set aside already.
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

  /// Whether the directory was removed.
  func wasRemoved() -> Bool {
    guard let status = try? directory.status() else { return true }
    return status.st_nlink == 0
  }

  private func sync() throws(SystemCallError) {
    let number = directory.number
    do throws(SystemCallError) {
      try SystemCallError.check("fsync of the directory") { fsync(number) }
    } catch {
      // Some file systems have no such thing for a directory.
      if error.errno != EINVAL { throw error }
    }
  }
}

/// The names of a kept file and of those beside it.
struct FileName: Hashable, Sendable {
  /// The file that is kept.
  let file: String
  /// What the new content is written to before it takes the file's place.
  var temporaryFile: String { ".\(file).part" }
  /// What writers lock.
  var lock: String { ".\(file).lock" }

  /// - Parameter name: The name without its ending; `nil` comes of one that cannot be used.
  init?(_ name: String) {
    guard Self.isPlain(name), name.utf8.count <= 100 else { return nil }
    file = "\(name).json"
  }

  /// The name of a file that was set aside.
  func aside(_ why: SetAsideReason, _ number: Int) -> String { "\(file).\(why.rawValue)-\(number)" }

  /// Whether a text is one name in a directory, and not hidden.
  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 255
      && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }
}

/// Why a file is set aside.
enum SetAsideReason: String, Sendable {
  /// It cannot be read.
  case unreadable
  /// Another program wrote it, and this one writes its own.
  case replaced
}

/// What lies where the file is kept.
final class FileSnapshot: Sendable {
  /// What is in it.
  enum Content: Sendable {
    case bytes([UInt8])
    /// Nothing that was written there, and why.
    case unreadable(String)
  }

  let content: Content
  let identity: FileIdentity
  /// Holds the file, so that its number stays its own; there is none where it cannot be opened.
  let descriptor: Descriptor?

  init(content: Content, identity: FileIdentity, descriptor: consuming Descriptor?) {
    self.content = content
    self.identity = identity
    self.descriptor = descriptor
  }
}

/// Which content a file has: another one, once somebody has replaced or rewritten the file.
///
/// Whoever holds the file open can tell every replacement, since the number of an open file is not
/// given to another.
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

/// A lock between programs, and between stores of one program (flock(2)), which is held.
struct FileLock: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// Takes the lock, if it is free or becomes free within a time.
  ///
  /// - Parameters:
  ///   - name: The file that is locked, which is made if it is missing.
  ///   - directory: The directory.
  ///   - milliseconds: How long to wait. Waiting without an end would let one stopped program stop
  ///     all others.
  /// - Throws: `EWOULDBLOCK` when it does not become free, and what keeps it from being opened.
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

  /// Gives the lock back.
  consuming func release() {}
}
