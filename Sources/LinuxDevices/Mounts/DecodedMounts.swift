internal import AccessModel
internal import Synchronization

/// The mounts of one table that were asked for, so that each is decoded once.
final class DecodedMounts: Sendable {
  private struct Key: Hashable {
    var index: Int
    var inUserNamespace: Bool
  }

  private let known = Mutex<[Key: Mount]>([:])

  /// A mount, as it is known or is decoded now.
  func mount(_ index: Int, inUserNamespace: Bool, _ decode: () -> Mount) -> Mount {
    let key = Key(index: index, inUserNamespace: inUserNamespace)
    if let mount = known.withLock({ $0[key] }) { return mount }
    let mount = decode()
    known.withLock { $0[key] = mount }
    return mount
  }
}
