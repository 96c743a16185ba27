/// The calls of a client that wait for an answer, and how far it is.
struct BusClientState {
  typealias Caller = CheckedContinuation<Result<BusReply, BusFailure>, Never>
  typealias Onlooker = CheckedContinuation<BusFailure, Never>

  /// A call that waits for its answer.
  struct Pending {
    let call: BusCall
    let deadline: ContinuousClock.Instant
    /// Called with the answer on the thread of the connection, before anything that came after it.
    let noting: (@Sendable (BusReply) -> Void)?
    /// `nil` once the caller waits no longer.
    var caller: Caller?
    var cookie: UInt64?
  }

  /// What the thread of the connection has to do.
  struct Orders {
    var calls: [(ticket: UInt64, call: BusCall)] = []
    var expired: [Caller] = []
    var isStopping = false
    /// When the next call expires.
    var deadline: ContinuousClock.Instant?
  }

  private var lastTicket: UInt64 = 0
  private var pending: [UInt64: Pending] = [:]
  private var unsent: [UInt64] = []
  /// The tickets of the calls that were sent, by the number that the answer will name.
  private var tickets: [UInt64: UInt64] = [:]
  private var onlookers: [UInt64: Onlooker] = [:]
  private var isStopping = false
  private var failure: BusFailure?

  /// A number for a call or an onlooker.
  mutating func ticket() -> UInt64 {
    lastTicket += 1
    return lastTicket
  }

  /// Takes a call in.
  ///
  /// - Returns: Why it is not: the connection has ended.
  mutating func add(_ call: Pending, _ ticket: UInt64) -> BusFailure? {
    if let failure { return failure }
    pending[ticket] = call
    unsent.append(ticket)
    return nil
  }

  /// Takes one in who waits for the end.
  ///
  /// - Returns: Why the connection has ended, if it has.
  mutating func add(_ onlooker: Onlooker, _ ticket: UInt64) -> BusFailure? {
    if let failure { return failure }
    onlookers[ticket] = onlooker
    return nil
  }

  /// Lets a caller go, whose call goes on.
  mutating func leave(_ ticket: UInt64) -> Caller? {
    let caller = pending[ticket]?.caller
    pending[ticket]?.caller = nil
    return caller
  }

  /// Lets an onlooker go.
  mutating func leaveEnd(_ ticket: UInt64) -> Onlooker? { onlookers.removeValue(forKey: ticket) }

  mutating func stop() { isStopping = true }

  /// What there is to do now.
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

  /// Notes the number of a call that was sent.
  mutating func sent(_ ticket: UInt64, _ cookie: UInt64) {
    guard pending[ticket] != nil else { return }
    pending[ticket]?.cookie = cookie
    tickets[cookie] = ticket
  }

  /// Takes a call out.
  mutating func take(_ ticket: UInt64) -> Pending? {
    let call = pending.removeValue(forKey: ticket)
    if let cookie = call?.cookie { tickets[cookie] = nil }
    return call
  }

  /// Takes the call out that an answer names.
  mutating func take(answeredBy cookie: UInt64) -> Pending? { tickets[cookie].flatMap { take($0) } }

  /// Ends everything.
  ///
  /// - Returns: Who is to be told.
  mutating func end(_ failure: BusFailure) -> (callers: [Caller], onlookers: [Onlooker]) {
    self.failure = failure
    defer { (pending, unsent, tickets, onlookers) = ([:], [], [:], [:]) }
    return (pending.values.compactMap(\.caller), Array(onlookers.values))
  }
}
