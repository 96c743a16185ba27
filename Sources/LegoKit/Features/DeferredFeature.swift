internal import Synchronization

/// A feature that is made when it is first needed.
@usableFromInline final class DeferredFeature<B: Blueprint>: Sendable {
  private let make: @Sendable () -> Feature<B>
  private let made = Mutex<FeatureContent<B>?>(nil)

  init(_ make: @escaping @Sendable () -> Feature<B>) {
    self.make = make
  }

  @usableFromInline var content: FeatureContent<B> {
    if let content = made.withLock({ $0 }) { return content }
    // It is made outside the lock; of two that are made at once, the first stays.
    let content = make().content
    return made.withLock { made in
      let kept = made ?? content
      made = kept
      return kept
    }
  }
}
