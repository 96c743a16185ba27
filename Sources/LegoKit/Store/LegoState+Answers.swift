extension LegoState {
  /// A change that an adaptor had ready, and that the teller tells next.
  ///
  /// It was applied when nothing else waited, so that it need not go through the queue. It belongs to
  /// the build whose change is being told, so that this build stays under way until it is told.
  @usableFromInline struct ReadyAnswer: Sendable {
    @usableFromInline let change: B.Change
    @usableFromInline let number: UInt64
    @usableFromInline let before: B.Design?
    @usableFromInline let after: B.Design

    @inlinable init(
      _ change: B.Change, _ number: UInt64, _ before: B.Design?, _ after: B.Design
    ) {
      self.change = change
      self.number = number
      self.before = before
      self.after = after
    }
  }

  /// Applies a change that the teller's own thread tells next.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - observers: Those whom the teller tells the change that this one answers.
  ///   - lego: The store.
  /// - Returns: What to tell, or `nil` when nothing was done, because changes wait or there is more
  ///   to be seen to.
  @inlinable @inline(__always) mutating func applyReady(
    _ change: B.Change, _ observers: ObserverList, in lego: Lego<B>
  ) -> ReadyAnswer? {
    // Where parts may go, what comes after a change has to be in the queue to be found there.
    guard !needsCare, !hasParts, queue.isEmpty, tellers.isTellingOwn,
      let current = self.observers, current === observers
    else { return nil }
    let before: B.Design? = keepsBefore || observers.comparesDesigns ? design : nil
    guard follow(change, in: lego) else { return nil }
    number &+= 1
    return ReadyAnswer(change, number, before, design)
  }
}
