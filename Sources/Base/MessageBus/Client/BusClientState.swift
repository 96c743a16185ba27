/// The calls of a client that wait for a reply, and the state of the connection.
struct BusClientState {
  typealias Caller = CheckedContinuation<Result<BusReply, BusFailure>, Never>
  typealias Onlooker = CheckedContinuation<BusFailure, Never>

  /// A call that is waiting for its reply.
  struct Pending {
    let call: BusCall
    let deadline: ContinuousClock.Instant
    /// Called with the reply on the thread of the connection, before any later message is received.
    let noting: (@Sendable (BusReply) -> Void)?
    /// The waiting caller; `nil` if it has stopped waiting.
    var caller: Caller?
    var cookie: UInt64?
  }

  /// The work for the thread of the connection.
  struct Orders {
    var calls: [(ticket: UInt64, call: BusCall)] = []
    var expired: [Caller] = []
    var isStopping = false
    /// The time at which the next call expires.
    var deadline: ContinuousClock.Instant?
  }

  private var lastTicket: UInt64 = 0
  private var pending: [UInt64: Pending] = [:]
  private var unsent: [UInt64] = []
  /// The tickets of the calls that were sent, by the cookies that their replies will contain.
  private var tickets: [UInt64: UInt64] = [:]
  private var onlookers: [UInt64: Onlooker] = [:]
  private var isStopping = false
  private var failure: BusFailure?

  /// Returns a new number for a call, or for a task that waits for the end of the connection.
  mutating func ticket() -> UInt64 {
    lastTicket += 1
    return lastTicket
  }

  /// Adds a call.
  ///
  /// - Returns: The reason why the call was not added, if the connection has ended.
  mutating func add(_ call: Pending, _ ticket: UInt64) -> BusFailure? {
    if let failure { return failure }
    pending[ticket] = call
    unsent.append(ticket)
    return nil
  }

  /// Adds a task that waits for the end of the connection.
  ///
  /// - Returns: The reason for the end, if the connection has ended.
  mutating func add(_ onlooker: Onlooker, _ ticket: UInt64) -> BusFailure? {
    if let failure { return failure }
    onlookers[ticket] = onlooker
    return nil
  }

  /// Removes and returns the caller of a call, which remains pending.
  mutating func leave(_ ticket: UInt64) -> Caller? {
    let caller = pending[ticket]?.caller
    pending[ticket]?.caller = nil
    return caller
  }

  /// Removes and returns a task that waits for the end of the connection.
  mutating func leaveEnd(_ ticket: UInt64) -> Onlooker? { onlookers.removeValue(forKey: ticket) }

  mutating func stop() { isStopping = true }

  /// Returns the work that has to be done now.
  mutating func orders(at now: ContinuousClock.Instant) -> Orders {
    var orders = Orders(isStopping: isStopping)
    for ticket in unsent {
      if let call = pending[ticket]?.call { orders.calls.append((ticket, call)) }
    }
    unsent = []
    for (ticket, call) in pending {
      if call.deadline > now {
        orders.deadline = min(orders.deadline ?? call.deadline, call.deadline)
      } else if let caller = take(ticket)?.caller {
        orders.expired.append(caller)
      }
    }
    return orders
  }

  /// Records the cookie of a call that was sent.
  mutating func sent(_ ticket: UInt64, _ cookie: UInt64) {
    guard pending[ticket] != nil else { return }
    pending[ticket]?.cookie = cookie
    tickets[cookie] = ticket
  }

  /// Removes and returns a call.
  mutating func take(_ ticket: UInt64) -> Pending? {
    let call = pending.removeValue(forKey: ticket)
    if let cookie = call?.cookie { tickets[cookie] = nil }
    return call
  }

  /// Removes and returns the call that a reply is for.
  mutating func take(answeredBy cookie: UInt64) -> Pending? { tickets[cookie].flatMap { take($0) } }

  /// Ends all calls.
  ///
  /// - Returns: The tasks to resume.
  mutating func end(_ failure: BusFailure) -> (callers: [Caller], onlookers: [Onlooker]) {
    self.failure = failure
    defer { (pending, unsent, tickets, onlookers) = ([:], [], [:], [:]) }
    return (pending.values.compactMap(\.caller), Array(onlookers.values))
  }
}
