/// Those who wait for a future's result, in their order.
///
/// Most futures have one at most, who needs no array; one that nobody waits for has nothing to free.
@usableFromInline enum FutureWaiters<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Waiter = FutureWaiter<Output, Failure>

  @usableFromInline struct Entry: Sendable {
    @usableFromInline let ticket: UInt64
    @usableFromInline let waiter: Waiter

    @inlinable init(ticket: UInt64, waiter: Waiter) {
      self.ticket = ticket
      self.waiter = waiter
    }
  }

  case none
  case one(Entry)
  /// Two or more were there.
  case several([Entry])

  /// Adds one to the end.
  @inlinable mutating func append(_ entry: Entry) {
    switch self {
    case .none: self = .one(entry)
    case .one(let first): self = .several([first, entry])
    case .several(var entries):
      // Without it there would be two arrays, and the one that is added to would be copied.
      self = .none
      entries.append(entry)
      self = .several(entries)
    }
  }

  /// Takes the first that matches.
  @inlinable mutating func remove(where matches: (Entry) -> Bool) -> Waiter? {
    switch self {
    case .none: return nil
    case .one(let entry):
      guard matches(entry) else { return nil }
      self = .none
      return entry.waiter
    case .several(var entries):
      guard let index = entries.firstIndex(where: matches) else { return nil }
      self = .none
      let entry = entries.remove(at: index)
      self = .several(entries)
      return entry.waiter
    }
  }

  /// Turns the order round, so that each can be taken from the end, which costs the same for all.
  @inlinable mutating func reverse() {
    guard case .several(let entries) = self else { return }
    self = .several(entries.reversed())
  }

  /// Takes the last one.
  ///
  /// - Returns: The last, and whether there is no other.
  @inlinable mutating func popLast() -> (waiter: Waiter?, isLast: Bool) {
    switch self {
    case .none: return (nil, true)
    case .one(let entry):
      self = .none
      return (entry.waiter, true)
    case .several(var entries):
      self = .none
      let last = entries.popLast()
      if !entries.isEmpty { self = .several(entries) }
      return (last?.waiter, entries.isEmpty)
    }
  }
}
