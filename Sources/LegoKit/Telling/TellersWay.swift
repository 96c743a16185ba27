/// What a teller goes by while it tells the changes in the queue.
@usableFromInline struct TellersWay {
  /// What it has told of others' changes.
  @usableFromInline var share: Share
  /// The builders that may go on, and have to be woken.
  @usableFromInline var waking: [WaitingBuilder] = []
  /// Who tells the rest, once that is another.
  @usableFromInline var successor: Tellers.Successor?

  /// Who waits until every change is told, once that is so.
  @usableFromInline var idle: WaitingTask?

  /// Creates the way of a teller.
  @usableFromInline init() {
    share = Share()
  }

  /// Creates the way of a teller that has waited for its turn in its build.
  @usableFromInline init(after waited: Duration) {
    share = Share(after: waited)
  }

  /// Wakes the builders that may go on; outside the lock.
  @inlinable mutating func wake() {
    if waking.isEmpty { return }
    for builder in waking { builder.wake() }
    waking = []
  }
}
