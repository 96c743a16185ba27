package import AccessModel
internal import CLinux
internal import Glibc

/// The folder for the record of one caller's grants, which consists of one file and a lock.
///
/// The folder and the file must belong to the caller. No other user may write to them or, unless
/// the folder is shared, read them. Neither may be a symbolic link. Links in the path of the folder
/// are followed if they are trusted (``TrustedLinks``).
package struct GrantFolder: Hashable, Sendable {
  /// The absolute path of the folder.
  package let path: String
  /// A Boolean value that indicates whether every user may read the record.
  ///
  /// This is the case for root's grants on devices, which the owners of the devices take into
  /// account.
  package let isShared: Bool

  package init(path: String, isShared: Bool = false) {
    self.path = path
    self.isShared = isShared
  }

  /// The maximum size of a record in bytes.
  package static let limit = 1 << 24
  /// The maximum time to wait for another program, in milliseconds.
  private static let patience = 60_000
  static let file = "ledger.json"
  static let lockFile = "lock"
  private static let newFile = "ledger.new"

  /// Calls a closure while no other program can grant or revoke.
  ///
  /// If another program holds the lock, the call waits for at most one minute.
  ///
  /// - Parameters:
  ///   - makesFolder: A Boolean value that indicates whether to create a missing folder.
  ///   - body: The closure to call. It reads and writes the record through the locked folder.
  /// - Throws: `failed` if the folder cannot be used or the lock cannot be acquired, or the error
  ///   that `body` throws.
  /// - Returns: The result of `body`; `nil` if the folder is missing and was not created.
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
        // A killed program may have left this file behind.
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

  /// The current record, read without the lock; `nil` if it cannot be read.
  package var unlockedRecord: [UInt8]? {
    guard let folder = try? open(makesFolder: false) else { return nil }
    return try? read(in: folder.number)
  }

  /// Reads the record in an open folder; a missing record is empty.
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

  /// Refuses an object that another user could have created or changed.
  ///
  /// - Returns: The status of the object.
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

  /// A folder whose lock is held.
  package struct Locked: ~Copyable {
    fileprivate let folder: OwnedDescriptor
    fileprivate let lock: OwnedDescriptor
    fileprivate let place: GrantFolder

    /// Reads the record; a missing record is empty.
    ///
    /// - Throws: `failed` if the record cannot be read, is too long, or could have been changed by
    ///   another user.
    package borrowing func read() throws(GrantError) -> [UInt8] {
      do throws(Errno) {
        return try place.read(in: folder.number)
      } catch {
        throw GrantError(at: place.path, unableTo: "read the record of grants", error)
      }
    }

    /// Replaces the record atomically; an empty record removes the file.
    ///
    /// - Throws: `failed`, in which case the old record usually remains.
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
