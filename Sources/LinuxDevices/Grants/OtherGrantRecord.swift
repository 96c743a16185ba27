internal import AccessModel
internal import CLinux
internal import Glibc

/// The record of grants of another user: that of the owner of a device as root reads it, or that of root as
/// the owner does.
///
/// No symbolic link is followed, and nothing is entered that is mounted in the folder, so that a filesystem
/// of that user holds nobody up. What the record says is believed of what its user may change.
package struct OtherGrantRecord: Hashable, Sendable {
  /// The folder that holds ``folder``; another user cannot replace it.
  package let base: String
  /// The folder of the record below it.
  package let folder: String
  /// The user whose record it is.
  package let user: UInt32

  package init(base: String, folder: String, user: UInt32) {
    self.base = base
    self.folder = folder
    self.user = user
  }

  /// How long to wait for that user's programs, in milliseconds: that user must not hold root up.
  private static let patience = 2_000

  /// The record; `nil` where there is none that can be read and is that user's alone.
  package func read() -> [UInt8]? {
    guard let file = try? open(GrantFolder.file),
      let contents = try? BoundedFile.read(
        "/proc/self/fd/\(file.number)", limit: GrantFolder.limit),
      !contents.isTruncated
    else { return nil }
    return contents.bytes
  }

  /// Keeps that user's programs from granting and revoking, as far as they do not keep the lock themselves.
  ///
  /// - Returns: What holds the lock until it goes; `nil` without a lock.
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
    // Before it is opened: opening something else can wait, or act.
    try GrantFolder.check(held.number, S_IFREG, isShared: true, of: user)
    return try OwnedDescriptor(negated: clinux_open_held(held.number, O_RDONLY))
  }

  /// A lock that is held.
  package final class Lock: Sendable {
    private let file: OwnedDescriptor

    fileprivate init(_ file: consuming OwnedDescriptor) { self.file = file }
  }
}
