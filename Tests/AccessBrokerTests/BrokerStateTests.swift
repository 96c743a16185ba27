import AccessBroker
import AccessModel
import LinuxDevices
import MessageBus
import Testing

/// The broker as a state, with made-up events.
@Suite struct `The state of a broker` {
  private let now = ContinuousClock.now

  private func broker(_ limits: BrokerLimits = BrokerLimits()) -> Broker {
    let find: KnownDevices.Find = { $0 == BrokerBus.null.number ? BrokerBus.null : nil }
    return Broker(limits: limits, find: find) { _, _ in }
  }

  private func call(of caller: String, ticket: UInt64) -> BusEvent {
    .called(
      BusIncoming(
        isSignal: false, sender: caller, path: BrokerCalls.object, interface: BrokerCalls.name,
        member: BrokerCalls.method, signature: BrokerCalls.signature,
        arguments: [.text("/dev/null"), .text("read"), .unsigned(1), .unsigned(3)]),
      ticket: ticket)
  }

  private func gone(_ caller: String, sender: String = "org.freedesktop.DBus") -> BusEvent {
    .signalled(
      BusIncoming(
        isSignal: true, sender: sender, path: "/org/freedesktop/DBus",
        interface: "org.freedesktop.DBus", member: "NameOwnerChanged", signature: "sss",
        arguments: [.text(caller), .text(caller), .text("")]))
  }

  private let yes = BusEvent.answered(
    ticket: 1, .success([.list([.boolean(true), .boolean(false), .list([])])]))

  /// The name of the error in an answer, or what else is ordered.
  private func word(_ orders: [BusOrder]) -> String {
    switch orders.first {
    case .answer(_, .failure(let name, _)): String(name.split(separator: ".").last ?? "")
    case .answer(_, .values): "values"
    case .answer(_, .refusal(let name, _)): name
    case .call(let call, _): call.member
    case .end: "end"
    case nil: ""
    }
  }

  private func user(_ number: UInt64, _ ticket: UInt64) -> BusEvent {
    .answered(ticket: ticket, .success([.unsigned(number)]))
  }

  @Test func `asks who the caller is, then polkit, then opens`() {
    var broker = broker()
    #expect(word(broker.take(call(of: ":1.1", ticket: 1), at: now)) == "GetConnectionUnixUser")
    #expect(word(broker.take(user(1000, 1), at: now)) == "CheckAuthorization")
    #expect(word(broker.take(yes, at: now)) == "values")
    #expect(broker.take(yes, at: now).isEmpty)
  }

  @Test func `does not take the bus's answer about the caller for polkit's`() {
    var broker = broker()
    _ = broker.take(call(of: ":1.1", ticket: 1), at: now)
    #expect(word(broker.take(yes, at: now)) == "Failed")
    #expect(broker.take(yes, at: now).isEmpty)
  }

  @Test func `opens nothing for a caller that is gone, even after a yes`() {
    for isAsking in [false, true] {
      var broker = broker()
      _ = broker.take(call(of: ":1.1", ticket: 1), at: now)
      if isAsking { _ = broker.take(user(1000, 1), at: now) }
      #expect(broker.take(gone(":1.2"), at: now).isEmpty)
      #expect(broker.take(gone(":1.1", sender: ":1.2"), at: now).isEmpty)
      let orders = broker.take(gone(":1.1"), at: now)
      #expect(orders.count == (isAsking ? 2 : 1))
      #expect(word(orders) == "Failed")
      #expect(broker.take(user(1000, 1), at: now).isEmpty)
      #expect(broker.take(yes, at: now).isEmpty)
    }
  }

  @Test func `bounds the requests of a caller, of a user, and of all`() {
    var broker = broker()
    var ticket: UInt64 = 0
    for index in 0..<5 {
      ticket += 1
      #expect(
        word(broker.take(call(of: ":1.0", ticket: ticket), at: now))
          == (index < 4 ? "GetConnectionUnixUser" : "TooManyRequests"))
    }
    for asked in 1...4 { _ = broker.take(user(1000, UInt64(asked)), at: now) }
    for index in 4..<20 {
      ticket += 1
      _ = broker.take(call(of: ":1.\(index)", ticket: ticket), at: now)
      #expect(
        word(broker.take(user(1000, ticket), at: now))
          == (index < 16 ? "CheckAuthorization" : "TooManyRequests"))
    }
    for index in 0..<60 {
      ticket += 1
      #expect(
        word(broker.take(call(of: ":2.\(index)", ticket: ticket), at: now))
          == (index < 48 ? "GetConnectionUnixUser" : "TooManyRequests"))
    }
  }

  @Test func `gives a request up in time, and ends only without any`() {
    var limits = BrokerLimits()
    limits.patience = .seconds(300)
    limits.idleTime = .seconds(60)
    var broker = broker(limits)
    let start = ContinuousClock.now
    _ = broker.take(call(of: ":1.1", ticket: 1), at: start)
    _ = broker.take(user(1000, 1), at: start)
    #expect(broker.deadline == start + .seconds(300))
    #expect(broker.take(.timeReached, at: start + .seconds(299)).isEmpty)
    let orders = broker.take(.timeReached, at: start + .seconds(300))
    #expect(word(orders) == "TimedOut")
    #expect(word(Array(orders.dropFirst())) == "CancelCheckAuthorization")
    #expect(broker.deadline == start + .seconds(360))
    #expect(broker.take(.timeReached, at: start + .seconds(359)).isEmpty)
    #expect(word(broker.take(.timeReached, at: start + .seconds(360))) == "end")
  }

  @Test(
    arguments: [
      (nil, "unnamed"), ("", "unnamed"), ("HD Camera (1080p)", "HD Camera (1080p)"),
      ("<b>&$(x)\n\u{202E}é", "?b???(x)???"), (String(repeating: "a", count: 500), nil),
    ] as [(String?, String?)])
  func `shows a name that is not taken for anything else`(name: String?, shown: String?) {
    let device = KnownDevice(
      kind: .camera, node: "/dev/video0", number: DeviceNumber(major: 81, minor: 0),
      sysfsPath: "/sys/x", name: name)
    #expect(device.shownName == shown ?? String(repeating: "a", count: 64))
  }

  @Test func `never takes anything but polkit's yes for one`() {
    let no: [Result<[BusValue], BusFailure>] = [
      .success([]), .success([.boolean(true)]), .success([.list([.boolean(true)])]),
      .success([.list([.boolean(true), .boolean(true)])]),
      .success([.list([.unsigned(1), .boolean(false), .list([])])]),
      .success([.list([.boolean(true), .boolean(false), .text("")])]),
      .success([.list([.boolean(true), .boolean(false), .list([])]), .boolean(true)]),
      .success([.boolean(true), .boolean(false), .list([])]),
      .success([.list([.boolean(false), .boolean(true), .list([])])]),
      .failure(.timedOut),
    ]
    for answer in no { #expect(AuthorityAnswer(answer) != .authorized) }
  }
}
