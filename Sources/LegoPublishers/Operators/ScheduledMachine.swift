/// The state of operators that send through a scheduler.
///
/// Whatever a scheduler's order, values are sent in theirs: each closure that it runs permits one
/// more value, or the end, to be sent.
struct ScheduledMachine<Value: Sendable, Failure: Error>: JoinMachine {
  var outlet = Outlet<Value, Failure>()
  var upstream = Inlet()
  /// What watches the operator, until it is over.
  var watch: (any Cancellable)?

  /// Creates a state in which so many values may be sent without a closure.
  init(permits: Int = 0) {
    outlet.due = permits
  }

  mutating func attach(_ subscription: any Subscription, _ orders: inout Orders) -> Bool {
    upstream.attach(subscription, &orders)
  }

  /// Keeps a value until a closure runs.
  mutating func take(_ value: Value) -> Bool {
    guard upstream.subscription != nil, outlet.isOpen else { return false }
    outlet.send(value)
    return true
  }

  mutating func end(
    _ completion: Subscribers.Completion<Failure>, _ orders: inout Orders
  ) -> Bool {
    guard outlet.isOpen, upstream.end(&orders) else { return false }
    outlet.complete(completion)
    dismissWatch(&orders)
    return true
  }

  /// Permits one more value, or the end.
  mutating func permit() {
    if outlet.due < .max { outlet.due += 1 }
  }

  /// Ends at once, without the values that wait.
  mutating func stop(_ completion: Subscribers.Completion<Failure>, _ orders: inout Orders) {
    guard outlet.isOpen else { return }
    cancel(&orders)
    outlet.end(completion)
    permit()
  }

  mutating func pass(
    _ demand: Subscribers.Demand, answering source: Source?, _ orders: inout Orders
  ) -> Subscribers.Demand {
    orders.request(upstream.subscription, demand)
    return .none
  }

  mutating func cancel(_ orders: inout Orders) {
    upstream.cancel(&orders)
    dismissWatch(&orders)
  }

  private mutating func dismissWatch(_ orders: inout Orders) {
    orders.cancel(watch)
    watch = nil
  }
}
