/// The state of `debounce`: the value that waits for silence.
struct DebounceMachine<Value: Sendable, Failure: Error, Moment: Comparable & Sendable>: JoinMachine
{
  var outlet = Outlet<Value, Failure>()
  var upstream = Inlet()
  var deadline = Deadline<Moment>()
  var waiting: Value?

  mutating func attach(_ subscription: any Subscription, _ orders: inout Orders) -> Bool {
    upstream.attach(subscription, &orders)
  }

  /// Takes a value, which waits in the place of the one before.
  ///
  /// - Returns: Whether a closure has to be scheduled, and what is to be freed.
  mutating func take(_ value: Value, until moment: Moment) -> (Bool, Value?) {
    guard upstream.subscription != nil, outlet.isOpen else { return (false, nil) }
    defer { waiting = value }
    return (deadline.set(moment), waiting)
  }

  /// Sends the value that waits, if its moment has come.
  ///
  /// - Returns: For when another closure has to be scheduled, and what is to be freed.
  mutating func ring(at moment: Moment) -> (Moment?, Value?) {
    switch deadline.ring(at: moment) {
    case .later(let next): return (next, nil)
    case .never: return (nil, nil)
    case .now:
      defer { waiting = nil }
      return (nil, waiting.flatMap { outlet.sendLatest($0) })
    }
  }

  /// Drops the value that waits, as Combine does.
  mutating func end(_ orders: inout Orders) -> Bool {
    guard outlet.isOpen, upstream.end(&orders) else { return false }
    forget(&orders)
    return true
  }

  mutating func cancel(_ orders: inout Orders) {
    upstream.cancel(&orders)
    forget(&orders)
  }

  private mutating func forget(_ orders: inout Orders) {
    deadline.clear()
    orders.drop(waiting)
    waiting = nil
  }
}
