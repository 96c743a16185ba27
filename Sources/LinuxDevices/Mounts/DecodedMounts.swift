internal import AccessModel
internal import Synchronization

/// The mounts of one table that were asked for, so that each is looked for and decoded once.
final class DecodedMounts: Sendable {
  private struct Key: Hashable {
    var index: Int
    var inUserNamespace: Bool
  }

  private let known = Mutex<[Key: Mount]>([:])
  /// The entries at the points that were asked for; `nil` where nothing is mounted.
  private let points = Mutex<[PathKey: Int?]>([:])

  /// A mount, as it is known or is decoded now.
  func mount(_ index: Int, inUserNamespace: Bool, _ decode: () -> Mount) -> Mount {
    let key = Key(index: index, inUserNamespace: inUserNamespace)
    if let mount = known.withLock({ $0[key] }) { return mount }
    let mount = decode()
    known.withLock { $0[key] = mount }
    return mount
  }

  /// The number of the entry at a point, as it is known or is found now.
  func index(at point: String, _ find: () -> Int?) -> Int? {
    let key = PathKey(point)
    if let index = points.withLock({ $0[key] }) { return index }
    let index = find()
    points.withLock { $0[key] = .some(index) }
    return index
  }
}
