package import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

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

/// The record of grants of another user.
///
/// Root reads the record of a device's owner, and the owner reads root's record. Symbolic links and
/// mounts in the folder are not followed, so a filesystem of that user cannot block the caller. The
/// record is trusted only for objects that its user may change.
package struct OtherGrantLedger: Hashable, Sendable {
  /// The folder that contains ``folder``; no other user can replace it.
  package let base: String
  /// The folder of the record, as a path relative to ``base``.
  package let folder: String
  /// The user to whom the record belongs.
  package let user: UInt32

  package init(base: String, folder: String, user: UInt32) {
    self.base = base
    self.folder = folder
    self.user = user
  }

  /// The maximum time to wait for that user's programs, in milliseconds, so that they cannot block
  /// root.
  private static let patience = 2_000

  /// Reads the record.
  ///
  /// - Returns: The contents; `nil` if the record cannot be read or other users could have changed
  ///   it.
  package func read() -> [UInt8]? {
    guard let file = try? open(GrantFolder.file),
      let contents = try? BoundedFile.read(
        "/proc/self/fd/\(file.number)", limit: GrantFolder.limit),
      !contents.isTruncated
    else { return nil }
    return contents.bytes
  }

  /// Acquires the lock, which keeps well-behaved programs of that user from granting or revoking.
  ///
  /// - Returns: An object that holds the lock until it is released; `nil` if the lock is not
  ///   acquired.
  package func lock() -> Lock? {
    guard let file = try? open(GrantFolder.lockFile) else { return nil }
    for _ in 0..<Self.patience / 5 {
      if flock(file.number, LOCK_EX | LOCK_NB) == 0 { return Lock(file) }
      guard [.tryAgain, .interrupted].contains(Errno.current) else { return nil }
      usleep(5_000)
    }
    return nil
  }

  private func open(_ name: String) throws(Errno) -> OwnedDescriptor {
    let base: PinnedNode
    do throws(GrantError) {
      base = try PinnedNode(path: self.base)
    } catch {
      throw .noSuchFile
    }
    let held = try OwnedDescriptor(
      negated: unsafe clinux_pin_path(
        base.number, ByteText("\(folder)/\(name)").cString, CLINUX_WITHOUT_MOUNTS, false))
    // Checked before it is opened, because opening another kind of object can block or have side
    // effects.
    try GrantFolder.check(held.number, S_IFREG, isShared: true, of: user)
    return try OwnedDescriptor(negated: clinux_open_held(held.number, O_RDONLY))
  }

  /// A lock, which is held as long as the object exists.
  package final class Lock: Sendable {
    private let file: OwnedDescriptor

    fileprivate init(_ file: consuming OwnedDescriptor) { self.file = file }
  }
}

/// Reports when a record of grants is written (inotify(7)).
package enum GrantLedgerWatch {
  /// Starts to report changes to the records in some folders.
  ///
  /// A thread waits for changes until the stream ends.
  ///
  /// - Parameter folders: The folders. A folder that does not exist has no changes.
  /// - Returns: A stream with an element after one or more changes; `nil` if nothing can be
  ///   watched.
  package static func changes(in folders: [GrantFolder]) -> AsyncStream<Void>? {
    guard let poll = try? EventPoll(), let notifier = try? FileNotifier.open() else { return nil }
    let mask = UInt32(IN_MOVED_TO) | UInt32(IN_DELETE) | UInt32(IN_CLOSE_WRITE)
    let watched = folders.filter { folder in
      (try? FileNotifier(descriptor: notifier.number).add(folder.path, mask)) != nil
    }
    guard !watched.isEmpty, (try? poll.add(notifier.number, CLINUX_READABLE, as: 1)) != nil else {
      return nil
    }
    let source = Source(poll, notifier)
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    continuation.onTermination = { _ in source.end() }
    do throws(Errno) {
      try DedicatedThread.run {
        source.run { continuation.yield() }
        continuation.finish()
      }
    } catch {
      return nil
    }
    return stream
  }

  /// The descriptors that the thread waits on.
  private final class Source: Sendable {
    private let poll: EventPoll
    private let notifier: OwnedDescriptor
    private let isEnded = Atomic(false)

    init(_ poll: EventPoll, _ notifier: consuming OwnedDescriptor) {
      self.poll = poll
      self.notifier = notifier
    }

    func end() {
      isEnded.store(true, ordering: .releasing)
      poll.wake()
    }

    func run(_ body: () -> Void) {
      func take(_ id: UInt64, _ events: UInt32) {
        FileNotifier(descriptor: notifier.number).drain(.all, where: { _, _ in true }, { _ in })
        body()
      }
      var room = EventPoll.room
      while !isEnded.load(ordering: .acquiring) { poll.wait(&room, {}, take) }
    }
  }
}
