internal import Glibc

/// A name on a bus that the calling thread serves until the service or the connection ends.
package struct BusService: ~Copyable {
  /// A call that has not been answered yet.
  private final class HeldCall {
    let message: BusMessage

    init(_ message: consuming BusMessage) { self.message = message }
  }

  /// A received message.
  private enum Received {
    case call(BusIncoming, HeldCall)
    case tooBig(HeldCall)
    case signal(BusIncoming)
    case answer(cookie: UInt64, Result<[BusValue], BusFailure>)
  }

  private let connection: BusConnection
  private let name: String
  private let limits: BusLimits
  private var calls: [UInt64: HeldCall] = [:]
  /// The tickets of the service's own calls, by the cookies that their replies will contain.
  private var tickets: [UInt64: UInt64] = [:]
  private var lastTicket: UInt64 = 0
  /// The messages that arrived during calls to the bus, such as the call for which the bus started
  /// the service.
  private var early: [Received]
  private var isEnding = false

  /// The maximum number of calls, and of signals, that are kept during one call to the bus.
  private static let mostEarly = 64

  /// The longest time to wait for a reply of the bus itself.
  private static let busTime = Duration.seconds(25)
  /// The longest time for sending the remaining answers at the end.
  private static let lastTime = Duration.seconds(1)

  /// Connects, subscribes to signals, and acquires the name.
  ///
  /// The subscription comes first, so no signal about a caller is missed.
  ///
  /// - Parameters:
  ///   - name: The well-known name.
  ///   - address: The address of the bus.
  ///   - rules: The match rules for the signals.
  ///   - limits: The limits for messages that are read.
  /// - Throws: `EEXIST` if another connection owns the name.
  package init(
    _ name: String, on address: BusAddress, rules: [String], limits: BusLimits
  ) throws(BusFailure) {
    // Use local variables until nothing can fail, because a noncopyable value cannot be partly
    // initialized.
    let connection = try BusConnection(address)
    var early: [Received] = []
    for rule in rules { _ = try Self.ask(connection, "AddMatch", [.text(rule)], limits, &early) }
    // The flag 4 is DBUS_NAME_FLAG_DO_NOT_QUEUE; the reply 1 is
    // DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER.
    let reply = try Self.ask(
      connection, "RequestName", [.text(name), .unsigned(4)], limits, &early)
    guard reply.first?.unsigned == 1 else { throw BusFailure(errno: EEXIST) }
    self.connection = connection
    self.early = early
    self.name = name
    self.limits = limits
  }

  /// Calls a method of the bus, and keeps the messages that arrive before the reply.
  ///
  /// A call is kept in full until it is answered, and any number of large calls may arrive in the
  /// meantime. Therefore, a call that is too large or exceeds the maximum number is refused at
  /// once.
  private static func ask(
    _ connection: borrowing BusConnection, _ member: String, _ arguments: [BusArgument],
    _ limits: BusLimits, _ early: inout [Received]
  ) throws(BusFailure) -> [BusValue] {
    var others: [Received] = []
    defer { early += others }
    // The signals of the bus itself are always kept, because they are few.
    var room = (calls: mostEarly, signals: mostEarly)
    return try connection.call(
      .bus(member, arguments), until: .now + busTime, limits: limits
    ) { message in
      let received = received(message, limits)
      let isKept =
        switch received {
        case .call(let call, _): room.calls > 0 && !call.arguments.contains { $0.isUnread }
        case .signal(let signal): room.signals > 0 || signal.isOfBus
        case .tooBig, .answer, nil: false
        }
      if isKept, let received {
        if message.kind == .call { room.calls -= 1 } else { room.signals -= 1 }
        others.append(received)
      } else if message.kind == .call {
        try? connection.answer(
          message, .refusal("LimitsExceeded", "the service is not ready; ask again"))
      }
    }
  }

  /// Serves the name until the service requests the end.
  ///
  /// - Throws: An error if the connection is lost.
  package mutating func run(_ part: inout some BusServing) throws(BusFailure) {
    while !isEnding {
      if let deadline = part.deadline, deadline <= .now {
        carryOut(part.take(.timeReached, at: .now), &part)
        continue
      }
      let hasWorked = try step(&part)
      let wake = part.wake
      // Clients that keep the bus busy must not delay the other threads of this process.
      guard !hasWorked || wake != nil else { continue }
      let time = hasWorked ? 0 : part.deadline.map(Self.milliseconds)
      if try connection.wait(wake?.reader ?? -1, milliseconds: time) {
        wake?.drain()
        carryOut(part.take(.woken, at: .now), &part)
      }
    }
    try finish()
  }

  /// Handles one message, and returns `true` if there was work.
  private mutating func step(_ part: inout some BusServing) throws(BusFailure) -> Bool {
    let (hasWorked, received) = early.isEmpty ? try receive() : (true, early.removeFirst())
    switch received {
    case .call(let incoming, let call):
      lastTicket += 1
      calls[lastTicket] = call
      carryOut(part.take(.called(incoming, ticket: lastTicket), at: .now), &part)
    case .tooBig(let call): answer(call, .refusal("LimitsExceeded", "the message is too large"))
    case .signal(let incoming): carryOut(part.take(.signalled(incoming), at: .now), &part)
    case .answer(let cookie, let result):
      if let ticket = tickets.removeValue(forKey: cookie) {
        carryOut(part.take(.answered(ticket: ticket, result), at: .now), &part)
      }
    case nil: break
    }
    return hasWorked
  }

  private borrowing func receive() throws(BusFailure) -> (Bool, Received?) {
    var received: Received?
    let hasWorked = try connection.process { message in
      received = Self.received(message, limits)
    }
    return (hasWorked, received)
  }

  private static func received(_ message: borrowing BusMessage, _ limits: BusLimits) -> Received? {
    switch message.kind {
    case .call:
      guard let call = try? HeldCall(message.retained()) else { return nil }
      do throws(BusFailure) {
        return .call(try message.incoming(limits), call)
      } catch {
        return .tooBig(call)
      }
    case .signal: return (try? message.incoming(limits)).map { .signal($0) }
    case .reply, .error:
      guard let cookie = message.answered else { return nil }
      guard message.kind == .reply else {
        return .answer(cookie: cookie, .failure(message.failure))
      }
      do throws(BusFailure) {
        return .answer(cookie: cookie, .success(try message.arguments(limits)))
      } catch {
        return .answer(cookie: cookie, .failure(error))
      }
    case nil: return nil
    }
  }

  // MARK: Orders

  private mutating func carryOut(_ orders: [BusOrder], _ part: inout some BusServing) {
    for order in orders {
      switch order {
      case .answer(let ticket, let answer):
        if let call = calls.removeValue(forKey: ticket) { self.answer(call, answer) }
      case .call(let call, let ticket):
        do throws(BusFailure) {
          tickets[try connection.send(call)] = ticket
        } catch {
          carryOut(part.take(.answered(ticket: ticket, .failure(error)), at: .now), &part)
        }
      case .end: isEnding = true
      }
    }
  }

  /// Answers a call; a caller that has disconnected is not a failure of this connection.
  private borrowing func answer(_ call: HeldCall, _ answer: BusAnswer) {
    try? connection.answer(call.message, answer)
  }

  /// Releases the name, refuses the remaining calls, and sends the remaining answers.
  ///
  /// Calls that were sent before the name was released are refused. Later calls start the service
  /// again.
  private borrowing func finish() throws(BusFailure) {
    var early = early
    _ = try Self.ask(connection, "ReleaseName", [.text(name)], limits, &early)
    for received in early { refuse(received) }
    let deadline = ContinuousClock.now + Self.lastTime
    while ContinuousClock.now < deadline {
      let (hasWorked, received) = try receive()
      if let received { refuse(received) }
      if hasWorked { continue }
      guard connection.hasUnsent else { return }
      try connection.wait(-1, milliseconds: Self.milliseconds(until: deadline))
    }
  }

  private borrowing func refuse(_ received: Received) {
    switch received {
    case .call(_, let call), .tooBig(let call):
      answer(call, .refusal("LimitsExceeded", "the service is ending; ask again"))
    case .signal, .answer: break
    }
  }

  private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int64 {
    let left = (deadline - .now).components
    return max(0, left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1)
  }
}

/// The logic of a service as a state machine, which handles events and returns actions.
///
/// All calls are made on the thread that serves the connection.
package protocol BusServing {
  /// Handles one event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - now: The current time.
  /// - Returns: The actions to perform, in order.
  mutating func take(_ event: BusEvent, at now: ContinuousClock.Instant) -> [BusOrder]

  /// The time of the next ``BusEvent/timeReached`` event; `nil` for none.
  var deadline: ContinuousClock.Instant? { get }

  /// The object with which other threads wake the service; `nil` if no thread does.
  var wake: BusWake? { get }
}

extension BusServing {
  package var wake: BusWake? { nil }
}

/// An event for a service.
package enum BusEvent: Hashable, Sendable {
  /// A client has called a method; the ticket identifies the call for the answer.
  case called(BusIncoming, ticket: UInt64)
  /// A signal has arrived, for which the service has a match rule or which was sent to it directly.
  case signalled(BusIncoming)
  /// A call of the service has been answered; the ticket is that of the call.
  case answered(ticket: UInt64, Result<[BusValue], BusFailure>)
  /// Another thread has woken the service, at least once.
  case woken
  /// The deadline of the service has passed.
  case timeReached
}

/// An action that a service requests.
package enum BusOrder: Hashable, Sendable {
  /// Answers the call with the given ticket; a second answer does nothing.
  case answer(ticket: UInt64, BusAnswer)
  /// Calls a method, whose answer arrives with the given ticket.
  case call(BusCall, ticket: UInt64)
  /// Releases the name, and ends the service.
  case end
}
