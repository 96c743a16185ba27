public import Synchronization

/// Whose turn it is to work on what a lock protects, outside the lock.
///
/// The one that finds nobody working works, and then does what others have queued meanwhile. To
/// begin costs no atomic exchange and to end costs one, or none under the lock, which matters where
/// little is worked on.
@usableFromInline package struct Turn: ~Copyable, Sendable {
  @usableFromInline static var free: Int { 0 }
  @usableFromInline static var taken: Int { 1 }
  /// Taken, and something is queued.
  @usableFromInline static var wanted: Int { 2 }

  @usableFromInline let state = Atomic(0)

  @inlinable package init() {}

  /// Whether someone works.
  @inlinable package var isTaken: Bool {
    state.load(ordering: .sequentiallyConsistent) != Turn.free
  }

  /// Takes the turn if it is free; under the lock.
  @inlinable package borrowing func take() -> Bool {
    // Only the lock's holder takes it, so nobody comes between.
    guard state.load(ordering: .acquiring) == Turn.free else { return false }
    state.store(Turn.taken, ordering: .relaxed)
    return true
  }

  /// Takes the turn that was found to be free; under the lock.
  @inlinable package borrowing func begin() {
    state.store(Turn.taken, ordering: .relaxed)
  }

  /// Gives the turn up under the lock, unless something is queued.
  ///
  /// There it needs no atomic exchange, since all that queue something hold the lock.
  @inlinable package borrowing func endLocked() -> Bool {
    guard state.load(ordering: .relaxed) == Turn.taken else { return false }
    state.store(Turn.free, ordering: .releasing)
    return true
  }

  /// Says that something is queued; under the lock, after ``take()`` failed.
  ///
  /// - Returns: Whether the turn has become free meanwhile and is the caller's now.
  @inlinable package borrowing func want() -> Bool {
    state.exchange(Turn.wanted, ordering: .acquiringAndReleasing) == Turn.free
  }

  /// Says that the queue is empty; under the lock, by the one that works.
  @inlinable package borrowing func clear() {
    state.store(Turn.taken, ordering: .relaxed)
  }

  /// Gives the turn up, unless something is queued.
  @inlinable package borrowing func end() -> Bool {
    state.compareExchange(
      expected: Turn.taken, desired: Turn.free, ordering: .sequentiallyConsistent
    ).exchanged
  }
}
