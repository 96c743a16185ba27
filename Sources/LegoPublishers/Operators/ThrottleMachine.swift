/// The state of `throttle`: when the next value may be sent, and which.
struct ThrottleMachine<Value: Sendable, Failure: Error, Moment: Comparable & Sendable>: JoinMachine
{
  var outlet = Outlet<Value, Failure>()
  var upstream = Inlet()
  /// The moment before which no value is sent.
  var opening: Moment?
  /// The value that a closure is scheduled to send.
  var waiting: Value?
  var completion: Subscribers.Completion<Failure>?
  let latest: Bool

  init(latest: Bool) {
    self.latest = latest
  }

  /// When a closure has to be scheduled.
  enum Schedule: Sendable {
    case now
    case at(Moment)
    case never
  }

  mutating func attach(_ subscription: any Subscription, _ orders: inout Orders) -> Bool {
    upstream.attach(subscription, &orders)
  }

  /// Takes a value, unless nothing is wanted: then it is dropped, as in Combine.
  ///
  /// - Returns: When a closure has to be scheduled, and what is to be freed.
  mutating func take(_ value: Value, at now: Moment) -> (Schedule, Value?) {
    guard upstream.subscription != nil, outlet.isOpen, completion == nil, outlet.room > .none
    else { return (.never, nil) }
    if waiting != nil {
      guard latest else { return (.never, nil) }
      defer { waiting = value }
      return (.never, waiting)
    }
    waiting = value
    if let opening, opening > now { return (.at(opening), nil) }
    return (.now, nil)
  }

  /// Takes the end, which comes with the value that waits, and otherwise at once.
  mutating func end(
    _ completion: Subscribers.Completion<Failure>, _ orders: inout Orders
  ) -> Schedule {
    guard outlet.isOpen, upstream.end(&orders) else { return .never }
    self.completion = completion
    return waiting == nil ? .now : .never
  }

  /// Sends what waits; the next value waits until the opening.
  mutating func pass(next opening: Moment) {
    self.opening = opening
    if let waiting { outlet.send(waiting) }
    waiting = nil
    if let completion { outlet.complete(completion) }
  }

  mutating func cancel(_ orders: inout Orders) {
    upstream.cancel(&orders)
    orders.drop(waiting)
    waiting = nil
  }
}
