internal import AccessModel
internal import LinuxDevices
package import MessageBus

/// Opens devices for callers on a bus, if polkit authorizes them.
///
/// The broker opens nothing before polkit agrees, and keeps nothing after the answer. It opens
/// devices on separate threads, so a driver that waits does not delay other callers.
package struct Broker: BusServing {
  /// Writes an entry of the log: a line, and the fields for programs.
  package typealias Log = (_ line: String, _ fields: [(name: String, value: String)]) -> Void

  private let limits: BrokerLimits
  private let threads: OpeningThreads
  private let find: KnownDevices.Find
  private let log: Log
  private var requests: [UInt64: BrokerRequestState] = [:]
  private var idleSince: ContinuousClock.Instant
  private var rates: UserRates

  /// The ticket of calls whose answers are ignored.
  private static let nobody: UInt64 = 0

  /// The match rules for signals that report that a caller has left the bus.
  package static let rules = [
    "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
      + "member='NameOwnerChanged',arg2=''"
  ]

  package init(
    limits: BrokerLimits = BrokerLimits(), threads: OpeningThreads,
    find: @escaping KnownDevices.Find, log: @escaping Log
  ) {
    self.limits = limits
    rates = UserRates(limits)
    self.threads = threads
    self.find = find
    self.log = log
    idleSince = .now
  }

  package var deadline: ContinuousClock.Instant? {
    requests.values.map(\.deadline).min() ?? idleSince + limits.idleTime
  }

  package var wake: BusWake? { threads.wake }

  package mutating func take(_ event: BusEvent, at now: ContinuousClock.Instant) -> [BusOrder] {
    let wasWaiting = !requests.isEmpty
    defer { if wasWaiting, requests.isEmpty { idleSince = now } }
    switch event {
    case .called(let call, let ticket):
      idleSince = now
      return begin(call, ticket, at: now)
    case .answered(let ticket, let result):
      return proceed(ticket, result, at: now)
    case .woken: return takeOpened()
    case .signalled(let signal): return leave(signal)
    case .timeReached: return expire(at: now)
    }
  }

  // MARK: - Progress of a request

  /// Handles the answer to the one call that a request waits for.
  private mutating func proceed(
    _ ticket: UInt64, _ result: Result<[BusValue], BusFailure>, at now: ContinuousClock.Instant
  ) -> [BusOrder] {
    guard let request = requests[ticket] else { return [] }
    switch request.stage {
    case .process:
      // Not every bus knows the caller's process, for example if the caller is on another machine.
      let number = try? result.get().first?.unsigned.flatMap(UInt32.init(exactly:))
      requests[ticket]?.process = number.flatMap(BrokerRequestState.Process.init)
      requests[ticket]?.stage = .user
      return [Self.askForUser(request, ticket)]
    case .user: return identify(ticket, request, result, at: now)
    case .authority(let device): return decide(ticket, request, device, result, at: now)
    case .opening: return []
    case .handOver(let device, let descriptor):
      return handOver(ticket, request, device, descriptor, result)
    }
  }

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
      return [.call(.bus("GetConnectionUnixProcessID", [.text(call.sender)]), ticket: ticket)]
    } catch {
      // Not logged: any caller could fill the log with it.
      return [Self.answer(ticket, error)]
    }
  }

  /// Handles the bus's answer, and asks polkit.
  private mutating func identify(
    _ ticket: UInt64, _ waiting: BrokerRequestState, _ result: Result<[BusValue], BusFailure>,
    at now: ContinuousClock.Instant
  ) -> [BusOrder] {
    var request = waiting
    guard let user = Self.user(result) else {
      // The bus no longer knows the caller.
      requests[ticket] = nil
      return [Self.answer(ticket, BrokerRefusal(.failed, "the caller cannot be identified"))]
    }
    request.user = user
    do throws(BrokerRefusal) {
      guard requests.values.count(where: { $0.user == user }) < limits.requestsOfUser else {
        throw Self.tooMany
      }
      guard rates.take(user, at: now) else { throw Self.tooFast }
      let device = try HeldDevice(at: request.query.path, request.query.number, find: find)
      request.stage = .authority(device)
      requests[ticket] = request
      return [
        .call(
          AuthorityCalls.check(
            request.caller, request.program, device.known, cancellation: Self.cancellation(ticket)),
          ticket: ticket)
      ]
    } catch {
      // Not logged either: polkit was not asked.
      requests[ticket] = nil
      return [Self.answer(ticket, error)]
    }
  }

  /// Handles polkit's answer, and starts a thread that opens the device if polkit authorizes the
  /// caller.
  ///
  /// The bus ensures that the reply comes from polkit.
  private mutating func decide(
    _ ticket: UInt64, _ request: BrokerRequestState, _ device: HeldDevice,
    _ result: Result<[BusValue], BusFailure>, at now: ContinuousClock.Instant
  ) -> [BusOrder] {
    do throws(BrokerRefusal) {
      switch AuthorityAnswer(result) {
      case .authorized: break
      case .refused: throw BrokerRefusal(.notAuthorized, "polkit refused the request")
      case .unasked:
        throw BrokerRefusal(.noAgent, "no polkit agent is running that could ask the user")
      case .dismissed: throw BrokerRefusal(.dismissed, "the dialog was dismissed")
      case .none(let reason): throw BrokerRefusal(.noAuthority, "polkit cannot be asked: \(reason)")
      }
      let (wanted, find, open) = (request.query.wanted, find, threads.open)
      try threads.start(ticket, device.known.number) { () throws(BrokerRefusal) in
        try device.open(for: wanted, find: find, by: open)
      }
      var opening = request
      opening.stage = .opening(device)
      opening.deadline = now + limits.openingTime
      requests[ticket] = opening
      return []
    } catch {
      requests[ticket] = nil
      return refuse(request, ticket, error)
    }
  }

  /// Handles the results of the opening threads.
  private mutating func takeOpened() -> [BusOrder] {
    threads.takeFinished().flatMap { finished -> [BusOrder] in
      guard let request = requests[finished.ticket], case .opening(let device) = request.stage
      else {
        return []
      }
      switch finished.result {
      case .success(let descriptor):
        requests[finished.ticket]?.stage = .handOver(device, descriptor)
        return [Self.askForUser(request, finished.ticket)]
      case .failure(let refusal):
        requests[finished.ticket] = nil
        return refuse(request, finished.ticket, refusal)
      }
    }
  }

  /// Sends the descriptor to the caller, if the caller and the device are unchanged.
  private mutating func handOver(
    _ ticket: UInt64, _ request: BrokerRequestState, _ device: HeldDevice,
    _ descriptor: BusDescriptor, _ result: Result<[BusValue], BusFailure>
  ) -> [BusOrder] {
    requests[ticket] = nil
    do throws(BrokerRefusal) {
      guard Self.user(result) == request.user, request.process?.hasEnded != true else {
        throw Self.callerIsGone
      }
      try device.check(find)
      note("opened", request, nil)
      return [.answer(ticket: ticket, .values([.descriptor(descriptor)]))]
    } catch {
      return refuse(request, ticket, error)
    }
  }

  // MARK: - End of a request

  /// Ends the requests of a caller that has left the bus.
  private mutating func leave(_ signal: BusIncoming) -> [BusOrder] {
    guard let change = signal.ownerChange, change.after.isEmpty else { return [] }
    let name = change.name
    var orders: [BusOrder] = []
    for (ticket, request) in requests where request.caller == name {
      // Requests that did not reach polkit are not logged: any caller could fill the log with them.
      if !request.isBeforeAuthority { note("did not open", request, Self.callerIsGone.text) }
      // The answer releases the call, although the caller no longer receives it.
      orders += end(ticket, Self.callerIsGone)
    }
    return orders
  }

  private mutating func expire(at now: ContinuousClock.Instant) -> [BusOrder] {
    guard !requests.isEmpty else { return idleSince + limits.idleTime <= now ? [.end] : [] }
    var orders: [BusOrder] = []
    for (ticket, request) in requests where request.deadline <= now {
      let refusal =
        switch request.stage {
        case .opening, .handOver: BrokerRefusal(.failed, "the device did not open in time")
        case .process, .user, .authority:
          BrokerRefusal(.timedOut, "the dialog timed out without an answer")
        }
      note("did not open", request, refusal.text)
      orders += end(ticket, refusal)
    }
    return orders
  }

  /// Ends a request, and cancels polkit's dialog or stops waiting for the opening thread.
  private mutating func end(_ ticket: UInt64, _ refusal: BrokerRefusal) -> [BusOrder] {
    var orders = [Self.answer(ticket, refusal)]
    switch requests.removeValue(forKey: ticket)?.stage {
    case .authority:
      let question = AuthorityCalls.cancel(Self.cancellation(ticket))
      orders.append(.call(question, ticket: Self.nobody))
    case .opening: threads.forget(ticket)
    case .process, .user, .handOver, nil: break
    }
    return orders
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
      "\(verb) \(query.path) (\(access)) for user \(user), \(request.program), at \(request.caller)"
        + (reason.map { ": \($0)" } ?? ""),
      [
        ("DEVACCESS_USER", user), ("DEVACCESS_DEVICE", query.path), ("DEVACCESS_ACCESS", access),
        ("DEVACCESS_CALLER", request.caller),
        ("DEVACCESS_PID", request.process.map { String($0.number) } ?? ""),
      ])
  }

  // MARK: - Messages

  private static func answer(_ ticket: UInt64, _ refusal: BrokerRefusal) -> BusOrder {
    .answer(ticket: ticket, .failure(name: refusal.error.name, refusal.text))
  }

  private static func cancellation(_ ticket: UInt64) -> String { "devaccess-\(ticket)" }

  private static func askForUser(_ request: BrokerRequestState, _ ticket: UInt64) -> BusOrder {
    .call(.bus("GetConnectionUnixUser", [.text(request.caller)]), ticket: ticket)
  }

  /// Returns the user in the bus's answer; `nil` if the bus no longer knows the connection.
  private static func user(_ result: Result<[BusValue], BusFailure>) -> UInt32? {
    try? result.get().first?.unsigned.flatMap(UInt32.init(exactly:))
  }

  private static let callerIsGone = BrokerRefusal(.failed, "the caller is gone")
  private static let tooFast = BrokerRefusal(
    .tooManyRequests, "too many requests in a short time; wait a few seconds")
  private static let tooMany = BrokerRefusal(.tooManyRequests, "too many requests are waiting")
}

/// The program `devaccess-broker`.
package enum BrokerProgram {
  /// The limits for messages, which are small because the calls are short and the broker reads no
  /// lists from the bus.
  package static let limits = BusLimits(text: BrokerCalls.longestPath, values: 256, depth: 6)

  /// Serves the broker's name on the system bus until the broker is idle.
  ///
  /// - Returns: The reason for a failure; `nil` if the broker ended because it was idle.
  package static func run() -> String? {
    do throws(BusFailure) {
      var broker = Broker(threads: try OpeningThreads(), find: KnownDevices.ofSystem) {
        (line, fields) in
        Journal.log(line, fields, by: "devaccess-broker")
      }
      var service = try BusService(
        BrokerCalls.name, on: .system, rules: Broker.rules, limits: limits)
      try service.run(&broker)
      return nil
    } catch {
      return "cannot serve on the system bus: \(error)"
    }
  }
}
