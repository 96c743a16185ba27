package import AccessModel
internal import CLinux
internal import Glibc

/// The folder in which the grants of one caller are recorded: one file, and a lock.
///
/// It must belong to the caller, and no other user may write to it or, unless it is shared, read it; the
/// file too. Neither may be a symbolic link. Links on the way are followed where they are trusted (``TrustedLinks``).
package struct GrantFolder: Hashable, Sendable {
  /// The absolute path.
  package let path: String
  /// Whether every user may read the record, as that of root's grants on devices: their owners take it
  /// into account.
  package let isShared: Bool

  package init(path: String, isShared: Bool = false) {
    self.path = path
    self.isShared = isShared
  }

  /// The most bytes of a record.
  package static let limit = 1 << 24
  /// How long to wait for another program to be done, in milliseconds.
  private static let patience = 60_000
  static let file = "ledger.json"
  static let lockFile = "lock"
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
        folder.number, Self.lockFile, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    )
    try Self.check(lock.number, S_IFREG, isShared: false)
    for _ in 0..<Self.patience / 5 {
      if flock(lock.number, LOCK_EX | LOCK_NB) == 0 {
        // Left by a program that was killed.
        unsafe unlinkat(folder.number, Self.newFile, 0)
        return Locked(folder: folder, lock: lock, place: self)
      }
      let error = Errno.current
      guard error == .tryAgain || error == .interrupted else { throw error }
      usleep(5_000)
    }
    throw .busy
  }

  private func open(makesFolder: Bool) throws(Errno) -> OwnedDescriptor {
    let folder = try TrustedFolder.open(path, makingWith: makesFolder ? 0o700 : nil)
    let status = try Self.check(folder.number, S_IFDIR, isShared: isShared)
    if makesFolder, isShared, status.st_mode & 0o777 != 0o755 {
      try Errno.check(fchmod(folder.number, 0o755))
    }
    return folder
  }

  /// The record as it is at this moment; `nil` where it cannot be read.
  package var unlockedRecord: [UInt8]? {
    guard let folder = try? open(makesFolder: false) else { return nil }
    return try? read(in: folder.number)
  }

  /// The record in an open folder; empty where there is none.
  fileprivate func read(in folder: Int32) throws(Errno) -> [UInt8] {
    do throws(Errno) {
      let file = try OwnedDescriptor(
        unsafe openat(folder, Self.file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK))
      try Self.check(file.number, S_IFREG, isShared: isShared)
      let contents = try BoundedFile.read("/proc/self/fd/\(file.number)", limit: Self.limit)
      guard !contents.isTruncated else { throw .tooBig }
      return contents.bytes
    } catch {
      if error == .noSuchFile { return [] }
      throw error
    }
  }

  /// Refuses what others could have put there.
  ///
  /// - Returns: The status.
  @discardableResult
  static func check(
    _ descriptor: Int32, _ type: mode_t, isShared: Bool, of owner: UInt32 = geteuid()
  ) throws(Errno) -> stat {
    var status = stat()
    try Errno.check(unsafe fstat(descriptor, &status))
    guard status.st_mode & S_IFMT == type, status.st_uid == owner,
      status.st_mode & (isShared ? 0o022 : 0o077) == 0, type == S_IFDIR || status.st_nlink == 1
    else { throw .permissionDenied }
    return status
  }

  /// The folder while its lock is held.
  package struct Locked: ~Copyable {
    fileprivate let folder: OwnedDescriptor
    fileprivate let lock: OwnedDescriptor
    fileprivate let place: GrantFolder

    /// The record; empty where there is none.
    ///
    /// - Throws: `failed` where it cannot be read, is too long or could be another's.
    package borrowing func read() throws(GrantError) -> [UInt8] {
      do throws(Errno) {
        return try place.read(in: folder.number)
      } catch {
        throw GrantError(at: place.path, unableTo: "read the record of grants", error)
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
            bytes, named: GrantFolder.file, by: GrantFolder.newFile, in: folder.number,
            mode: place.isShared ? 0o644 : 0o600)
        }
      } catch {
        throw GrantError(at: place.path, unableTo: "write the record of grants", error)
      }
    }
  }
}
