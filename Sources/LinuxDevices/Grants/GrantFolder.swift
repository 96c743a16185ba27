package import AccessModel
internal import CLinux
internal import Glibc

/// The folder in which the grants of one caller are recorded: one file, and a lock.
///
/// It must belong to the caller and be open to nobody else; the file too. Neither may be a symbolic
/// link. Links on the way are followed where they are trusted (``TrustedLinks``).
package struct GrantFolder: Hashable, Sendable {
  /// The absolute path.
  package let path: String

  package init(path: String) { self.path = path }

  /// The most bytes of a record.
  package static let limit = 1 << 20
  /// How long to wait for another program to be done, in milliseconds.
  private static let patience = 60_000
  private static let file = "ledger.json"
  private static let newFile = "ledger.new"

  /// Does something while no other program grants or revokes.
  ///
  /// Waits a minute for others at most.
  ///
  /// - Parameters:
  ///   - makesFolder: Whether a missing folder is made; without one there is nothing to read.
  ///   - body: What to do; the folder that it is given reads and writes the record.
  /// - Throws: `failed` where the folder or the lock cannot be had, and what `body` throws.
  /// - Returns: What `body` returned; `nil` where there is no folder.
  package func locked<Value>(
    makesFolder: Bool, _ body: (borrowing Locked) throws(GrantError) -> Value
  ) throws(GrantError) -> Value? {
    let locked: Locked?
    do throws(Errno) {
      locked = try lock(makesFolder: makesFolder)
    } catch {
      throw GrantError(at: path, unableTo: "use the record of grants", error)
    }
    guard let locked else { return nil }
    return try body(locked)
  }

  private func lock(makesFolder: Bool) throws(Errno) -> Locked? {
    let folder: OwnedDescriptor
    do throws(Errno) {
      folder = try open(makesFolder: makesFolder)
    } catch {
      if error == .noSuchFile, !makesFolder { return nil }
      throw error
    }
    let lock = try OwnedDescriptor(
      unsafe openat(
        folder.number, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600))
    try Self.check(lock.number, S_IFREG)
    for _ in 0..<Self.patience / 5 {
      if flock(lock.number, LOCK_EX | LOCK_NB) == 0 {
        return Locked(folder: folder, lock: lock, path: path)
      }
      let error = Errno.current
      guard error == .tryAgain || error == .interrupted else { throw error }
      usleep(5_000)
    }
    throw .busy
  }

  private func open(makesFolder: Bool) throws(Errno) -> OwnedDescriptor {
    let folder = try TrustedFolder.open(path, makingWith: makesFolder ? 0o700 : nil)
    try Self.check(folder.number, S_IFDIR)
    return folder
  }

  /// Refuses what others could have put there.
  fileprivate static func check(_ descriptor: Int32, _ type: mode_t) throws(Errno) {
    var status = stat()
    try Errno.check(unsafe fstat(descriptor, &status))
    guard status.st_mode & S_IFMT == type, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0, type == S_IFDIR || status.st_nlink == 1
    else { throw .permissionDenied }
  }

  /// The folder while its lock is held.
  package struct Locked: ~Copyable {
    fileprivate let folder: OwnedDescriptor
    fileprivate let lock: OwnedDescriptor
    fileprivate let path: String

    /// The record; empty where there is none.
    ///
    /// - Throws: `failed` where it cannot be read, is too long or could be another's.
    package borrowing func read() throws(GrantError) -> [UInt8] {
      do throws(Errno) {
        let file = try OwnedDescriptor(
          unsafe openat(
            folder.number, GrantFolder.file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK))
        try GrantFolder.check(file.number, S_IFREG)
        let contents = try BoundedFile.read(
          "/proc/self/fd/\(file.number)", limit: GrantFolder.limit)
        guard !contents.isTruncated else { throw .tooBig }
        return contents.bytes
      } catch {
        if error == .noSuchFile { return [] }
        throw GrantError(at: path, unableTo: "read the record of grants", error)
      }
    }

    /// Replaces the record, which is never half there; an empty one removes the file.
    ///
    /// - Throws: `failed`; the old record is then still there.
    package borrowing func write(_ bytes: [UInt8]) throws(GrantError) {
      do throws(Errno) {
        guard bytes.count <= GrantFolder.limit else { throw .noSpace }
        if bytes.isEmpty {
          if unsafe unlinkat(folder.number, GrantFolder.file, 0) != 0, Errno.current != .noSuchFile
          {
            throw .current
          }
          try Errno.check(fsync(folder.number))
        } else {
          try WholeFile.write(
            bytes, named: GrantFolder.file, by: GrantFolder.newFile, in: folder.number, mode: 0o600)
        }
      } catch {
        throw GrantError(at: path, unableTo: "write the record of grants", error)
      }
    }
  }
}
