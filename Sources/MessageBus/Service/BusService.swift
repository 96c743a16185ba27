internal import Glibc

/// A name on a bus that the calling thread serves, until the service or the connection ends.
package struct BusService: ~Copyable {
  /// A call that was not answered yet.
  private final class HeldCall {
    let message: BusMessage

    init(_ message: consuming BusMessage) { self.message = message }
  }

  /// What a message turned out to be.
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
  /// The tickets of the service's own calls, by the number that the answer will name.
  private var tickets: [UInt64: UInt64] = [:]
  private var lastTicket: UInt64 = 0
  /// What came while the bus was asked: the call that had it start the service, most often.
  private var early: [Received]
  private var isEnding = false

  /// How many calls are kept until the name is taken.
  private static let mostEarly = 64

  /// How long the bus itself may take to answer.
  private static let busTime = Duration.seconds(25)
  /// How long answers may take to leave at the end.
  private static let lastTime = Duration.seconds(1)

  /// Connects, asks for signals, and takes the name.
  ///
  /// The signals are asked for first, so that none about a caller is missed.
  ///
  /// - Parameters:
  ///   - name: The well-known name.
  ///   - address: The bus.
  ///   - rules: The signals, as rules of the bus.
  ///   - limits: How much of a message is read.
  /// - Throws: `EEXIST` where another has the name.
  package init(
    _ name: String, on address: BusAddress, rules: [String], limits: BusLimits
  ) throws(BusFailure) {
    // Kept in a variable until nothing can fail: a value that cannot be copied is not made in parts.
    let connection = try BusConnection(address)
    var early: [Received] = []
    for rule in rules { _ = try Self.ask(connection, "AddMatch", [.text(rule)], limits, &early) }
    // DBUS_NAME_FLAG_DO_NOT_QUEUE, and DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER.
    let reply = try Self.ask(
      connection, "RequestName", [.text(name), .unsigned(4)], limits, &early)
    guard reply.first?.unsigned == 1 else { throw BusFailure(errno: EEXIST) }
    self.connection = connection
    self.early = early
    self.name = name
    self.limits = limits
  }

  /// Asks the bus, and keeps what comes meanwhile for later.
  ///
  /// A call is kept whole until it is answered, and calls of any size may come while nobody answers:
  /// what is large, or one too many, is refused at once.
  private static func ask(
    _ connection: borrowing BusConnection, _ member: String, _ arguments: [BusArgument],
    _ limits: BusLimits, _ early: inout [Received]
  ) throws(BusFailure) -> [BusValue] {
    var others: [Received] = []
    defer { early += others }
    // The bus's own signals are few by themselves.
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

  /// Serves until the service orders the end.
  ///
  /// - Throws: That the connection is lost.
  package mutating func run(_ part: inout some BusServing) throws(BusFailure) {
    while !isEnding {
      if let deadline = part.deadline, deadline <= .now {
        carryOut(part.take(.timeReached, at: .now), &part)
        continue
      }
      let hasWorked = try step(&part)
      let wake = part.wake
      // Those who keep the bus busy must not keep the other threads waiting.
      guard !hasWorked || wake != nil else { continue }
      let time = hasWorked ? 0 : part.deadline.map(Self.milliseconds)
      if try connection.wait(wake?.reader ?? -1, milliseconds: time) {
        wake?.drain()
        carryOut(part.take(.woken, at: .now), &part)
      }
    }
    try finish()
  }

  /// Takes one message; returns whether there was work.
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

  /// A caller that has gone away meanwhile is not a failure of the connection.
  private borrowing func answer(_ call: HeldCall, _ answer: BusAnswer) {
    try? connection.answer(call.message, answer)
  }

  /// Gives the name up first: what was sent to it until then is refused, and what comes later starts
  /// the service again.
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
