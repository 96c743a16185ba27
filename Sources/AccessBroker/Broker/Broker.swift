internal import AccessModel
internal import LinuxDevices
package import MessageBus

/// Opens devices for callers on a bus whom polkit lets.
///
/// Nothing is opened before polkit's yes, and nothing is kept after the answer.
package struct Broker: BusServing {
  /// Writes an entry of the log: a line, and the fields for programs.
  package typealias Log = (_ line: String, _ fields: [(name: String, value: String)]) -> Void

  private let limits: BrokerLimits
  private let find: KnownDevices.Find
  private let log: Log
  private var requests: [UInt64: BrokerRequestState] = [:]
  private var idleSince: ContinuousClock.Instant

  /// Answers to calls that nobody waits for come under this ticket.
  private static let nobody: UInt64 = 0

  /// The signals that tell that a caller is gone.
  package static let rules = [
    "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
      + "member='NameOwnerChanged',arg2=''"
  ]

  package init(
    limits: BrokerLimits = BrokerLimits(), find: @escaping KnownDevices.Find,
    log: @escaping Log
  ) {
    self.limits = limits
    self.find = find
    self.log = log
    idleSince = .now
  }

  package var deadline: ContinuousClock.Instant? {
    requests.values.map(\.deadline).min() ?? idleSince + limits.idleTime
  }

  package mutating func take(_ event: BusEvent, at now: ContinuousClock.Instant) -> [BusOrder] {
    let wasWaiting = !requests.isEmpty
    defer { if wasWaiting, requests.isEmpty { idleSince = now } }
    switch event {
    case .called(let call, let ticket):
      idleSince = now
      return begin(call, ticket, at: now)
    case .answered(let ticket, let result):
      guard let request = requests[ticket] else { return [] }
      return request.device == nil ? identify(ticket, result) : decide(ticket, result)
    case .signalled(let signal): return leave(signal)
    case .timeReached: return expire(at: now)
    }
  }

  // MARK: - The way of a request

  private mutating func begin(
    _ call: BusIncoming, _ ticket: UInt64, at now: ContinuousClock.Instant
  ) -> [BusOrder] {
    guard call.path == BrokerCalls.object, call.member == BrokerCalls.method,
      call.interface.isEmpty || call.interface == BrokerCalls.name
    else { return [.answer(ticket: ticket, .refusal("UnknownMethod", "there is no such method"))] }
    do throws(BrokerRefusal) {
      guard requests.count < limits.requests,
        requests.values.count(where: { $0.caller == call.sender }) < limits.requestsOfCaller
      else { throw Self.tooMany }
      requests[ticket] = BrokerRequestState(
        caller: call.sender, query: try BrokerQuery(call), deadline: now + limits.patience)
      return [.call(.bus("GetConnectionUnixUser", [.text(call.sender)]), ticket: ticket)]
    } catch {
      // Not logged: anybody could fill the log with it.
      return [Self.answer(ticket, error)]
    }
  }

  /// Takes the bus's answer, and asks polkit.
  private mutating func identify(
    _ ticket: UInt64, _ result: Result<[BusValue], BusFailure>
  ) -> [BusOrder] {
    guard var request = requests[ticket] else { return [] }
    guard let user = try? result.get().first?.unsigned.flatMap(UInt32.init(exactly:)) else {
      // The bus no longer knows the caller.
      requests[ticket] = nil
      return [Self.answer(ticket, BrokerRefusal(.failed, "the caller is not known"))]
    }
    request.user = user
    do throws(BrokerRefusal) {
      guard requests.values.count(where: { $0.user == user }) < limits.requestsOfUser else {
        throw Self.tooMany
      }
      let device = try HeldDevice(at: request.query.path, request.query.number, find: find)
      request.device = device
      requests[ticket] = request
      return [
        .call(
          AuthorityCalls.check(
            request.caller, device.known, cancellation: Self.cancellation(ticket)),
          ticket: ticket)
      ]
    } catch {
      requests[ticket] = nil
      return refuse(request, ticket, error)
    }
  }

  /// Takes polkit's answer.
  ///
  /// The bus lets nobody else answer the call.
  private mutating func decide(
    _ ticket: UInt64, _ result: Result<[BusValue], BusFailure>
  ) -> [BusOrder] {
    guard let request = requests.removeValue(forKey: ticket), let device = request.device else {
      return []
    }
    do throws(BrokerRefusal) {
      switch AuthorityAnswer(result) {
      case .authorized: break
      case .refused: throw BrokerRefusal(.notAuthorized, "polkit refuses it")
      case .dismissed: throw BrokerRefusal(.dismissed, "the dialog was dismissed")
      case .none(let reason): throw BrokerRefusal(.noAuthority, "polkit cannot be asked: \(reason)")
      }
      let descriptor = try device.open(for: request.query.wanted, find: find)
      note("opened", request, nil)
      return [.answer(ticket: ticket, .values([.descriptor(descriptor)]))]
    } catch {
      return refuse(request, ticket, error)
    }
  }

  // MARK: - Ends

  /// Forgets what a caller asked who is gone.
  private mutating func leave(_ signal: BusIncoming) -> [BusOrder] {
    guard signal.sender == "org.freedesktop.DBus", signal.member == "NameOwnerChanged",
      signal.arguments.count == 3, let name = signal.arguments[0].text,
      signal.arguments[2].text == ""
    else { return [] }
    var orders: [BusOrder] = []
    for (ticket, request) in requests where request.caller == name {
      // What polkit was not asked about is not worth an entry: anybody could fill the log with it.
      if request.device != nil { note("did not open", request, "the caller is gone") }
      // The answer lets the call go; nobody receives it.
      orders += end(ticket, BrokerRefusal(.failed, "the caller is gone"))
    }
    return orders
  }

  private mutating func expire(at now: ContinuousClock.Instant) -> [BusOrder] {
    guard !requests.isEmpty else { return idleSince + limits.idleTime <= now ? [.end] : [] }
    var orders: [BusOrder] = []
    for (ticket, request) in requests where request.deadline <= now {
      note("did not open", request, "nobody answered in time")
      orders += end(ticket, BrokerRefusal(.timedOut, "nobody answered in time"))
    }
    return orders
  }

  /// Ends a request that polkit may still ask about.
  private mutating func end(_ ticket: UInt64, _ refusal: BrokerRefusal) -> [BusOrder] {
    let isAsking = requests.removeValue(forKey: ticket)?.device != nil
    let question = AuthorityCalls.cancel(Self.cancellation(ticket))
    return [Self.answer(ticket, refusal)]
      + (isAsking ? [.call(question, ticket: Self.nobody)] : [])
  }

  private func refuse(
    _ request: BrokerRequestState, _ ticket: UInt64, _ refusal: BrokerRefusal
  ) -> [BusOrder] {
    note("did not open", request, refusal.text)
    return [Self.answer(ticket, refusal)]
  }

  private func note(_ verb: String, _ request: BrokerRequestState, _ reason: String?) {
    let query = request.query
    let user = request.user.map { String($0) } ?? "unknown"
    let access = query.wanted.letters
    log(
      "\(verb) \(query.path) (\(access)) for user \(user) at \(request.caller)"
        + (reason.map { ": \($0)" } ?? ""),
      [
        ("DEVACCESS_USER", user), ("DEVACCESS_DEVICE", query.path), ("DEVACCESS_ACCESS", access),
        ("DEVACCESS_CALLER", request.caller),
      ])
  }

  // MARK: - Words

  private static func answer(_ ticket: UInt64, _ refusal: BrokerRefusal) -> BusOrder {
    .answer(ticket: ticket, .failure(name: refusal.error.name, refusal.text))
  }

  private static func cancellation(_ ticket: UInt64) -> String { "devaccess-\(ticket)" }

  private static let tooMany = BrokerRefusal(.tooManyRequests, "too many requests wait")
}
