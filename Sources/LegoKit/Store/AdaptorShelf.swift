public import Synchronization

/// A store's adaptors.
///
/// Adaptors are ordinary classes, so only one thread may call them at a time. The lock proves
/// that to the compiler and is hardly ever waited for: only the one thread that tells changes takes
/// it, and once the task that closes the store.
@usableFromInline struct AdaptorShelf<B: Blueprint>: ~Copyable, Sendable {
  @usableFromInline let adaptors: Mutex<[Adaptor<B>]>
  /// How many answer changes; they stand first.
  @usableFromInline let count: Int

  /// Takes adaptors, some of which answer changes.
  init(_ adaptors: sending [Adaptor<B>], answering count: Int) {
    self.count = count
    if count == adaptors.count {
      self.adaptors = Mutex(adaptors)
    } else {
      var ordered: [Adaptor<B>] = []
      for adaptor in adaptors where adaptor.answersChanges { ordered.append(adaptor) }
      for adaptor in adaptors where !adaptor.answersChanges { ordered.append(adaptor) }
      self.adaptors = Mutex(ordered)
    }
  }

  /// Asks each adaptor what it still owes.
  borrowing func closing(_ design: B.Design) -> [Effect<B.Change>] {
    adaptors.withLock { adaptors in adaptors.map { $0.closing(design) } }
  }

  /// Asks each adaptor what remains to be done once the store has ended.
  borrowing func ended(_ design: B.Design) -> [@Sendable () async -> Void] {
    adaptors.withLock { adaptors in adaptors.compactMap { $0.ended(design) } }
  }

  @inlinable borrowing func answer(
    _ index: Int, _ before: B.Design?, _ design: B.Design, _ change: B.Change
  ) -> (AnyPublisher<B.Change, Never>, Effect<B.Change>) {
    adaptors.withLock { adaptors in
      // Bound, because a reference is counted each time that one is read from an array.
      let adaptor = adaptors[index]
      return (
        adaptor.connect(design, on: change),
        adaptor.answer(from: before, to: design, on: change)
      )
    }
  }
}
