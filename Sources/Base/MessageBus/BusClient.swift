internal import Dispatch
internal import Glibc
internal import Synchronization

/// A connection to a bus that is served on a separate thread.
///
/// The connection ends with ``close()``, when the last reference to the client is released, or when
/// the bus disconnects. The client does not connect again.
package final class BusClient: Sendable {
  /// A function that answers a call or handles a signal, on the thread of the connection.
  ///
  /// The answer to a signal is ignored. A signal that exceeds the limits is passed without
  /// arguments.
  package typealias Receiver = @Sendable (BusIncoming) -> BusAnswer

  private let core: BusClientCore

  /// Starts to connect; if the bus cannot be reached, the first call throws the error.
  ///
  /// - Parameters:
  ///   - address: The address of the bus.
  ///   - limits: The limits for messages that are read.
  ///   - receiver: Answers incoming calls and handles signals.
  /// - Throws: A system error, such as `EMFILE`.
  package init(
    _ address: BusAddress, limits: BusLimits = BusLimits(text: 4_096, values: 4_096, depth: 8),
    receiver: @escaping Receiver = { _ in .refusal("UnknownMethod", "there is no such method") }
  ) throws(BusFailure) {
    let core = try BusClientCore(limits, receiver)
    self.core = core
    DispatchQueue(label: "message bus").async { core.run(address) }
  }

  deinit { core.stop() }

  /// Calls a method.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - time: The longest time to wait for the reply, including the time for connecting.
  ///   - noting: Called with the reply before any later message from the bus is received, even if
  ///     the caller was cancelled in the meantime.
  /// - Returns: The reply.
  /// - Throws: ``BusFailure/timedOut``, ``BusFailure/cancelled``, the error in the reply, or the
  ///   error that ended the connection.
  package func call(
    _ call: BusCall, within time: Duration, noting: (@Sendable (BusReply) -> Void)? = nil
  ) async throws(BusFailure) -> BusReply {
    try await core.call(call, within: time, noting).get()
  }

  /// Waits until the connection has ended.
  ///
  /// - Returns: The reason for the end; ``BusFailure/cancelled`` if the task was cancelled before.
  package func ended() async -> BusFailure { await core.ended() }

  /// Ends the connection, and waits until it has ended.
  package func close() async {
    core.stop()
    _ = await core.ended()
  }
}

/// The state that a client shares with the thread of its connection.
final class BusClientCore: Sendable {
  private let state = Mutex(BusClientState())
  private let wake: BusWake
  private let limits: BusLimits
  private let receiver: BusClient.Receiver

  /// The longest time for sending the remaining messages before the connection ends, in
  /// milliseconds.
  private static let lastMilliseconds: Int64 = 1_000

  init(_ limits: BusLimits, _ receiver: @escaping BusClient.Receiver) throws(BusFailure) {
    wake = try BusWake()
    self.limits = limits
    self.receiver = receiver
  }

  func stop() {
    state.withLock { $0.stop() }
    wake.signal()
  }

  func call(
    _ call: BusCall, within time: Duration, _ noting: (@Sendable (BusReply) -> Void)?
  ) async -> Result<BusReply, BusFailure> {
    let ticket = state.withLock { $0.ticket() }
    let deadline = ContinuousClock.now + time
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (caller: BusClientState.Caller) in
        let pending = BusClientState.Pending(
          call: call, deadline: deadline, noting: noting, caller: caller)
        if let failure = state.withLock({ $0.add(pending, ticket) }) {
          return caller.resume(returning: .failure(failure))
        }
        wake.signal()
        // The cancellation handler may have run before the call was added.
        if Task.isCancelled { leave(ticket) }
      }
    } onCancel: {
      leave(ticket)
    }
  }

  private func leave(_ ticket: UInt64) {
    state.withLock { $0.leave(ticket) }?.resume(returning: .failure(.cancelled))
  }

  func ended() async -> BusFailure {
    let ticket = state.withLock { $0.ticket() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (onlooker: BusClientState.Onlooker) in
        if let failure = state.withLock({ $0.add(onlooker, ticket) }) {
          return onlooker.resume(returning: failure)
        }
        if Task.isCancelled { leaveEnd(ticket) }
      }
    } onCancel: {
      leaveEnd(ticket)
    }
  }

  private func leaveEnd(_ ticket: UInt64) {
    state.withLock { $0.leaveEnd(ticket) }?.resume(returning: .cancelled)
  }

  // MARK: The thread of the connection

  /// Serves the connection until its end.
  func run(_ address: BusAddress) {
    let failure: BusFailure
    do throws(BusFailure) {
      try serve(address)
      failure = .closed
    } catch {
      failure = error
    }
    let (callers, onlookers) = state.withLock { $0.end(failure) }
    for caller in callers { caller.resume(returning: .failure(failure)) }
    for onlooker in onlookers { onlooker.resume(returning: failure) }
  }

  private func serve(_ address: BusAddress) throws(BusFailure) {
    let connection = try BusConnection(address)
    while true {
      let orders = state.withLock { $0.orders(at: .now) }
      for caller in orders.expired { caller.resume(returning: .failure(.timedOut)) }
      for (ticket, call) in orders.calls { send(call, ticket, connection) }
      if orders.isStopping { return try finish(connection) }
      let hasWorked = try connection.process { receive($0, connection) }
      if !hasWorked {
        try connection.wait(
          wake.reader, milliseconds: orders.deadline.map { Self.milliseconds(until: $0) })
        wake.drain()
      }
    }
  }

  private func send(_ call: BusCall, _ ticket: UInt64, _ connection: borrowing BusConnection) {
    do throws(BusFailure) {
      let cookie = try connection.send(call)
      state.withLock { $0.sent(ticket, cookie) }
    } catch {
      state.withLock { $0.take(ticket) }?.caller?.resume(returning: .failure(error))
    }
  }

  /// Sends the remaining messages, unless the bus does not accept them in time.
  private func finish(_ connection: borrowing BusConnection) throws(BusFailure) {
    let deadline = ContinuousClock.now + .milliseconds(Self.lastMilliseconds)
    while connection.hasUnsent, ContinuousClock.now < deadline {
      if try !connection.process({ _ in }) {
        try connection.wait(wake.reader, milliseconds: Self.milliseconds(until: deadline))
        wake.drain()
      }
    }
  }

  private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int64 {
    let left = (deadline - .now).components
    return max(0, left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1)
  }

  private func receive(_ message: borrowing BusMessage, _ connection: borrowing BusConnection) {
    switch message.kind {
    case .reply, .error:
      guard let cookie = message.answered,
        let pending = state.withLock({ $0.take(answeredBy: cookie) })
      else { return }
      let result = reply(message)
      if case .success(let reply) = result { pending.noting?(reply) }
      pending.caller?.resume(returning: result)
    case .call:
      // A caller that has disconnected is not a failure of this connection.
      do throws(BusFailure) {
        try connection.answer(message, answer(message))
      } catch {}
    case .signal: hear(message)
    case nil: break
    }
  }

  private func reply(_ message: borrowing BusMessage) -> Result<BusReply, BusFailure> {
    guard message.kind == .reply else { return .failure(message.failure) }
    do throws(BusFailure) {
      return .success(BusReply(values: try message.arguments(limits), sender: message.sender))
    } catch {
      return .failure(error)
    }
  }

  /// Passes a signal to the receiver, without arguments if the signal exceeds the limits.
  ///
  /// Something may be waiting for the signal, so it is never dropped.
  private func hear(_ message: borrowing BusMessage) {
    do throws(BusFailure) {
      _ = receiver(try message.incoming(limits))
    } catch {
      _ = receiver(message.envelope(of: []))
    }
  }

  private func answer(_ message: borrowing BusMessage) -> BusAnswer {
    do throws(BusFailure) {
      return receiver(try message.incoming(limits))
    } catch {
      return .refusal("LimitsExceeded", error.description)
    }
  }
}

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

/// Wakes a thread that is waiting for descriptors.
package final class BusWake: Sendable {
  /// The descriptor that becomes readable when ``signal()`` is called.
  package let reader: Int32
  private let writer: Int32

  package init() throws(BusFailure) {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard unsafe socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
      throw BusFailure(errno: errno)
    }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    close(reader)
    close(writer)
  }

  /// Wakes the thread, either now or the next time that it waits.
  package func signal() {
    var byte: UInt8 = 0
    // If the socket is full, its contents are sufficient to wake the thread.
    _ = unsafe write(writer, &byte, 1)
  }

  /// Discards the signals so far.
  package func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe read(reader, &bytes, bytes.count) == bytes.count {}
  }
}
