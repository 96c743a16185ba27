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
    directory = try DirectoryWalk.open(path, for: self.path)
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
    do throws(SystemFailure) {
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
  func identity() throws(SystemFailure) -> FileIdentity? {
    var status = stat()
    do throws(SystemFailure) {
      try SystemFailure.check("fstatat") {
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
  func read(limit: Int) throws(SystemFailure) -> FoundFile? {
    guard let seen = try identity() else { return nil }
    let file: Descriptor
    do throws(SystemFailure) {
      file = try Descriptor.open(name.file, in: directory.number, O_RDONLY | O_NONBLOCK)
    } catch {
      if error.errno == ENOENT { return nil }
      if error.isOfResources { throw error }
      let reason = error.errno == ELOOP ? "it is a symbolic link" : error.description
      return FoundFile(content: .unreadable(reason), identity: seen, descriptor: nil)
    }
    let status = try file.status()
    let content: FoundFile.Content
    if status.st_mode & S_IFMT != S_IFREG {
      content = .unreadable("it is not a regular file")
    } else if status.st_uid != geteuid() {
      content = .unreadable("it belongs to user \(status.st_uid)")
    } else {
      content = try file.content(limit: limit, expecting: Int(status.st_size))
    }
    return FoundFile(content: content, identity: FileIdentity(status), descriptor: file)
  }

  /// Removes what a program left that was ended while it wrote, unless one is writing now.
  func cleanUp() {
    guard let lock = try? FileLock(name.lock, in: directory.number, within: 0) else { return }
    removePart()
    lock.release()
  }

  private func removePart() {
    unsafe unlinkat(directory.number, name.part, 0)
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
    with bytes: [UInt8], replaced: (FoundFile) -> Void
  ) throws(SystemFailure) {
    removePart()
    let part = try Descriptor.open(
      name.part, in: directory.number, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    do throws(SystemFailure) {
      try part.write(bytes)
      let (from, to) = (directory.number, part.number)
      try SystemFailure.check("fchmod") { fchmod(to, 0o600) }
      try SystemFailure.check("fsync") { fsync(to) }
      try SystemFailure.check("rename") { unsafe renameat(from, name.part, from, name.file) }
    } catch {
      removePart()
      throw error
    }
    // Renaming changes the file's times, too.
    let identity = FileIdentity(try part.status())
    replaced(FoundFile(content: .bytes([]), identity: identity, descriptor: part))
    try sync()
  }

  /// Moves the file to a name that no other has.
  ///
  /// - Returns: The new name, or `nil` when a hundred files were set aside already.
  func setAside(_ why: Aside) throws(SystemFailure) -> String? {
    for number in 1...100 {
      let free = name.aside(why, number)
      var status = stat()
      if unsafe fstatat(directory.number, free, &status, AT_SYMLINK_NOFOLLOW) == 0 { continue }
      let failure = SystemFailure.current("fstatat")
      guard failure.errno == ENOENT else { throw failure }
      let at = directory.number
      try SystemFailure.check("rename") { unsafe renameat(at, name.file, at, free) }
      try sync()
      return free
    }
    return nil
  }

  /// Whether the directory was removed.
  func isGone() -> Bool {
    guard let status = try? directory.status() else { return true }
    return status.st_nlink == 0
  }

  private func sync() throws(SystemFailure) {
    let number = directory.number
    do throws(SystemFailure) {
      try SystemFailure.check("fsync of the directory") { fsync(number) }
    } catch {
      // Some file systems have no such thing for a directory.
      if error.errno != EINVAL { throw error }
    }
  }
}
