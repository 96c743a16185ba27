public import Synchronization

/// Whether a store's observers can be lent to a builder, as far as that is known outside the lock.
///
/// It saves those a look who would find that they cannot.
@usableFromInline final class Lending: Sendable {
  @usableFromInline let isPossible = Atomic(false)

  init() {}
}
