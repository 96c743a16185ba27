internal import AccessModel
internal import CLinux
internal import Glibc

/// The record of grants of another user.
///
/// Root reads the record of a device's owner, and the owner reads root's record. Symbolic links and
/// mounts in the folder are not followed, so a filesystem of that user cannot block the caller. The
/// record is trusted only for objects that its user may change.
package struct OtherGrantRecord: Hashable, Sendable {
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
