internal import Synchronization

/// The span of an effect with an id: from its start until all of it has ended.
final class EffectScope: Sendable {
  let id: EffectID
  /// Whether what is sent within is still applied; cleared under the store's lock.
  let isLive = Atomic(true)

  init(_ id: EffectID) {
    self.id = id
  }
}
