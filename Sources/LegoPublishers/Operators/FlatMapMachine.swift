/// The state of `flatMap`: the publishers made so far, and what of theirs waits.
///
/// Each made publisher is asked for one value at a time, or for everything once downstream wants
/// everything. One that has ended keeps its place until downstream has taken its last value, so
/// that no more than the limit of values ever wait.
@usableFromInline struct FlatMapMachine<Value: Sendable, Failure: Error>: JoinMachine {
  /// The place of a made publisher.
  @usableFromInline struct Slot: Sendable {
    @usableFromInline var ticket = 0
    @usableFromInline var inlet = Inlet()
    @usableFromInline var isTaken = false
    @usableFromInline var isUnlimited = false
    /// How many of its values wait.
    @usableFromInline var waiting = 0

    @inlinable init() {}
  }

  @usableFromInline var outlet = Outlet<Value, Failure>()
  @usableFromInline var upstream = Inlet()
  @usableFromInline var slots: [Slot] = []
  @usableFromInline var free: [Int] = []
  @usableFromInline var tickets = 0
  @usableFromInline let limit: Subscribers.Demand

  @inlinable init(limit: Subscribers.Demand) {
    self.limit = limit
  }

  @inlinable mutating func connect(_ subscription: any Subscription, _ orders: inout Orders) {
    if upstream.attach(subscription, &orders) { orders.request(subscription, limit) }
  }

  /// Takes a place for a publisher, which is then made and connected without the lock.
  @inlinable mutating func open() -> Source? {
    guard outlet.isOpen, upstream.subscription != nil else { return nil }
    tickets += 1
    let index: Int
    if let last = free.popLast() {
      index = last
    } else {
      index = slots.count
      slots.append(Slot())
    }
    slots[index].ticket = tickets
    slots[index].isTaken = true
    return Source(index: index, ticket: tickets)
  }

  @inlinable func holds(_ source: Source) -> Bool {
    source.index < slots.count && slots[source.index].ticket == source.ticket
      && slots[source.index].isTaken
  }

  @inlinable mutating func attach(
    _ subscription: any Subscription, of source: Source, _ orders: inout Orders
  ) {
    guard outlet.isOpen, holds(source) else { return orders.cancel(subscription) }
    guard slots[source.index].inlet.attach(subscription, &orders) else { return }
    slots[source.index].isUnlimited = outlet.demand == .unlimited
    orders.request(subscription, outlet.demand == .unlimited ? .unlimited : .max(1))
  }

  /// Takes a value into account that is sent now or later.
  @inlinable mutating func accept(from source: Source) -> Bool {
    guard outlet.isOpen, holds(source), slots[source.index].inlet.subscription != nil else {
      return false
    }
    slots[source.index].waiting += 1
    return true
  }

  @inlinable mutating func end(
    _ completion: Subscribers.Completion<Failure>, of source: Source, _ orders: inout Orders
  ) {
    guard holds(source), slots[source.index].inlet.end(&orders) else { return }
    if case .failure = completion { return fail(completion, &orders) }
    if slots[source.index].waiting == 0 { release(source.index, &orders) }
  }

  @inlinable mutating func end(
    _ completion: Subscribers.Completion<Failure>, _ orders: inout Orders
  ) {
    guard upstream.end(&orders) else { return }
    if case .failure = completion { return fail(completion, &orders) }
    finishIfOver()
  }

  @inlinable mutating func fail(
    _ completion: Subscribers.Completion<Failure>, _ orders: inout Orders
  ) {
    cancel(&orders)
    outlet.end(completion)
  }

  /// Frees a place, for which upstream may send another value.
  @inlinable mutating func release(_ index: Int, _ orders: inout Orders) {
    slots[index] = Slot()
    free.append(index)
    if limit < .unlimited { orders.request(upstream.subscription, .max(1)) }
    finishIfOver()
  }

  @inlinable mutating func finishIfOver() {
    if upstream.isEnded, free.count == slots.count { outlet.complete(.finished) }
  }

  @inlinable mutating func pass(
    _ demand: Subscribers.Demand, answering source: Source?, _ orders: inout Orders
  ) -> Subscribers.Demand {
    guard outlet.demand == .unlimited else { return .none }
    var answer = Subscribers.Demand.none
    for index in slots.indices where slots[index].isTaken && !slots[index].isUnlimited {
      guard let subscription = slots[index].inlet.subscription else { continue }
      slots[index].isUnlimited = true
      if slots[index].ticket == source?.ticket {
        answer = .unlimited
      } else {
        orders.request(subscription, .unlimited)
      }
    }
    return answer
  }

  @inlinable mutating func delivered(
    from source: Source, isAnswered: Bool, _ orders: inout Orders
  ) -> Subscribers.Demand {
    guard holds(source) else { return .none }
    slots[source.index].waiting -= 1
    if slots[source.index].inlet.isEnded {
      if slots[source.index].waiting == 0 { release(source.index, &orders) }
      return .none
    }
    if slots[source.index].isUnlimited { return .none }
    if isAnswered { return .max(1) }
    orders.request(slots[source.index].inlet.subscription, .max(1))
    return .none
  }

  @inlinable mutating func cancel(_ orders: inout Orders) {
    for index in slots.indices where slots[index].isTaken {
      slots[index].inlet.cancel(&orders)
    }
    upstream.cancel(&orders)
    slots = []
    free = []
  }
}
