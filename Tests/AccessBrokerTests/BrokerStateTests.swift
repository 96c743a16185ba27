import AccessBroker
import AccessModel
import Glibc
import LinuxDevices
import LinuxTestSupport
import MessageBus
import Synchronization
import Testing

/// The state machine of the broker, with simulated events.
@Suite struct `The state of a broker` {
  private let now = ContinuousClock.now

  @Test func `asks who the caller is, then polkit, opens, and asks once more who the caller is`()
    async throws
  {
    var broker = try BrokerEvents.broker()
    let asked = broker.take(BrokerEvents.call(of: ":1.1", ticket: 1), at: now)
    #expect(BrokerEvents.word(asked) == "GetConnectionUnixProcessID")
    let process = broker.take(BrokerEvents.number(UInt64(getpid()), 1), at: now)
    #expect(BrokerEvents.word(process) == "GetConnectionUnixUser")
    let user = broker.take(BrokerEvents.number(1000, 1), at: now)
    #expect(BrokerEvents.word(user) == "CheckAuthorization")
    #expect(broker.take(BrokerEvents.yes(1), at: now).isEmpty)
    // A second approval answers no question.
    #expect(broker.take(BrokerEvents.yes(1), at: now).isEmpty)
    #expect(await BrokerEvents.isWoken(broker))
    let opened = broker.take(.woken, at: now)
    #expect(BrokerEvents.word(opened) == "GetConnectionUnixUser")
    #expect(BrokerEvents.word(broker.take(BrokerEvents.number(1000, 1), at: now)) == "values")
    #expect(broker.take(BrokerEvents.yes(1), at: now).isEmpty)
  }

  @Test func `does not take the bus's answer about the caller for polkit's`() throws {
    var broker = try BrokerEvents.broker()
    _ = broker.take(BrokerEvents.call(of: ":1.1", ticket: 1), at: now)
    let process = broker.take(BrokerEvents.yes(1), at: now)
    #expect(BrokerEvents.word(process) == "GetConnectionUnixUser")
    #expect(BrokerEvents.word(broker.take(BrokerEvents.yes(1), at: now)) == "Failed")
    #expect(broker.take(BrokerEvents.yes(1), at: now).isEmpty)
  }

  @Test func `opens nothing for a caller that is gone, even after a yes`() throws {
    for isAsking in [false, true] {
      var broker = try BrokerEvents.broker()
      if isAsking {
        BrokerEvents.ask(&broker, ":1.1", ticket: 1, at: now)
      } else {
        _ = broker.take(BrokerEvents.call(of: ":1.1", ticket: 1), at: now)
      }
      #expect(broker.take(BrokerEvents.gone(":1.2"), at: now).isEmpty)
      #expect(broker.take(BrokerEvents.gone(":1.1", sender: ":1.2"), at: now).isEmpty)
      let orders = broker.take(BrokerEvents.gone(":1.1"), at: now)
      #expect(orders.count == (isAsking ? 2 : 1))
      #expect(BrokerEvents.word(orders) == "Failed")
      #expect(broker.take(BrokerEvents.number(1000, 1), at: now).isEmpty)
      #expect(broker.take(BrokerEvents.yes(1), at: now).isEmpty)
    }
  }

  @Test func `refuses a user who asks too often, and nobody else`() throws {
    var limits = BrokerLimits()
    limits.burstOfUser = 3
    limits.rateOfUser = 1
    var broker = try BrokerEvents.broker(limits)
    var ticket: UInt64 = 0
    func ask(_ user: UInt64, after seconds: Int) -> String {
      ticket += 1
      let caller = ":1.\(ticket)"
      let time = now + .seconds(seconds)
      _ = broker.take(BrokerEvents.call(of: caller, ticket: ticket), at: time)
      _ = broker.take(BrokerEvents.number(UInt64(getpid()), ticket), at: time)
      let orders = broker.take(BrokerEvents.number(user, ticket), at: time)
      _ = broker.take(BrokerEvents.gone(caller), at: time)
      return BrokerEvents.word(orders)
    }
    for _ in 0..<3 { #expect(ask(1000, after: 0) == "CheckAuthorization") }
    #expect(ask(1000, after: 0) == "TooManyRequests")
    #expect(ask(1001, after: 0) == "CheckAuthorization")
    #expect(ask(1000, after: 1) == "CheckAuthorization")
    #expect(ask(1000, after: 1) == "TooManyRequests")
  }

  @Test func `scans for devices again only after an event of one`() {
    let scans = Mutex(0)
    let stamp = Mutex<Int?>(1)
    let scan: @Sendable () -> [DeviceNumber: KnownDevice] = {
      scans.withLock { $0 += 1 }
      return [BrokerBus.null.number: BrokerBus.null]
    }
    let find = KnownDevices.find(stamp: { stamp.withLock(\.self) }, scan: scan)
    for _ in 0..<3 { #expect(find(BrokerBus.null.number) == BrokerBus.null) }
    #expect(find(DeviceNumber(major: 9, minor: 9)) == nil)
    #expect(scans.withLock(\.self) == 1)
    stamp.withLock { $0 = 2 }
    _ = find(BrokerBus.null.number)
    #expect(scans.withLock(\.self) == 2)
    // While udev is processing events, nothing is cached.
    stamp.withLock { $0 = nil }
    for _ in 0..<2 { _ = find(BrokerBus.null.number) }
    #expect(scans.withLock(\.self) == 4)
  }

  @Test func `bounds the requests of a caller, of a user, and of all`() throws {
    var broker = try BrokerEvents.broker()
    var ticket: UInt64 = 0
    for index in 0..<5 {
      ticket += 1
      #expect(
        BrokerEvents.word(broker.take(BrokerEvents.call(of: ":1.0", ticket: ticket), at: now))
          == (index < 4 ? "GetConnectionUnixProcessID" : "TooManyRequests"))
    }
    for asked in 1...4 { BrokerEvents.tellUser(&broker, UInt64(asked), at: now) }
    for index in 4..<20 {
      ticket += 1
      #expect(
        BrokerEvents.word(BrokerEvents.ask(&broker, ":1.\(index)", ticket: ticket, at: now))
          == (index < 16 ? "CheckAuthorization" : "TooManyRequests"))
    }
    for index in 0..<60 {
      ticket += 1
      #expect(
        BrokerEvents.word(
          broker.take(BrokerEvents.call(of: ":2.\(index)", ticket: ticket), at: now))
          == (index < 48 ? "GetConnectionUnixProcessID" : "TooManyRequests"))
    }
  }

  @Test func `gives a request up in time, and ends only without any`() throws {
    var limits = BrokerLimits()
    limits.patience = .seconds(300)
    limits.idleTime = .seconds(60)
    var broker = try BrokerEvents.broker(limits)
    let start = ContinuousClock.now
    BrokerEvents.ask(&broker, ":1.1", ticket: 1, at: start)
    #expect(broker.deadline == start + .seconds(300))
    #expect(broker.take(.timeReached, at: start + .seconds(299)).isEmpty)
    let orders = broker.take(.timeReached, at: start + .seconds(300))
    #expect(BrokerEvents.word(orders) == "TimedOut")
    #expect(BrokerEvents.word(Array(orders.dropFirst())) == "CancelCheckAuthorization")
    #expect(broker.deadline == start + .seconds(360))
    #expect(broker.take(.timeReached, at: start + .seconds(359)).isEmpty)
    #expect(BrokerEvents.word(broker.take(.timeReached, at: start + .seconds(360))) == "end")
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
