public import Synchronization

/// The span of an effect with an id: from its start until all of it has ended.
@usableFromInline final class EffectScope: Sendable {
  let id: EffectID
  let number: UInt64
  /// Whether what is sent within is still applied; cleared under the ledger's lock.
  @usableFromInline let isLive = Atomic(true)
  /// The numbers of the effects within; looked at under the ledger's lock, and so never waited for.
  let effects = Mutex(NumberSet())

  init(_ id: EffectID, number: UInt64) {
    self.id = id
    self.number = number
  }
}
