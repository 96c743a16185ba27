internal import AccessModel
internal import Synchronization

/// A cache of the requested mounts of one table, so that each is found and decoded only once.
final class DecodedMounts: Sendable {
  private struct Key: Hashable {
    var index: Int
    var inUserNamespace: Bool
  }

  private let known = Mutex<[Key: Mount]>([:])
  /// The indices of the entries at the requested mount points; `nil` if nothing is mounted there.
  private let points = Mutex<[PathKey: Int?]>([:])

  /// Returns the mount from the cache, or decodes it.
  func mount(_ index: Int, inUserNamespace: Bool, _ decode: () -> Mount) -> Mount {
    let key = Key(index: index, inUserNamespace: inUserNamespace)
    if let mount = known.withLock({ $0[key] }) { return mount }
    let mount = decode()
    known.withLock { $0[key] = mount }
    return mount
  }

  /// Returns the index of the entry at a mount point from the cache, or searches for it.
  func index(at point: String, _ find: () -> Int?) -> Int? {
    let key = PathKey(point)
    if let index = points.withLock({ $0[key] }) { return index }
    let index = find()
    points.withLock { $0[key] = .some(index) }
    return index
  }
}
