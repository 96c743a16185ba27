public import Synchronization

/// What a promise holds, so that a promise that is dropped is noticed.
@usableFromInline final class FutureResolver<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline let core: FutureCore<Output, Failure>
  /// Whether the promise was kept, so that its end need not look under the lock.
  @usableFromInline let isKept = Atomic(false)

  @inlinable init(_ core: FutureCore<Output, Failure>) {
    self.core = core
  }

  @inlinable deinit {
    if !isKept.load(ordering: .relaxed) { core.settle(.abandoned) }
  }

  /// Keeps the promise.
  @inlinable @Sendable func resolve(_ result: Result<Output, Failure>) {
    isKept.store(true, ordering: .relaxed)
    core.settle(.result(result))
  }
}
