import AccessBroker
import Glibc
import LinuxDevices
import LinuxTestSupport
import MessageBus

/// Simulated events for a broker, and texts for its orders.
enum BrokerEvents {
  /// Returns a broker that the test itself runs, and that knows ``BrokerBus/null``.
  static func broker(
    _ limits: BrokerLimits = BrokerLimits(), threads: OpeningThreads? = nil,
    find: @escaping KnownDevices.Find = { $0 == BrokerBus.null.number ? BrokerBus.null : nil }
  ) throws -> Broker {
    Broker(limits: limits, threads: try threads ?? OpeningThreads(limits), find: find) { _, _ in }
  }

  static func call(of caller: String, ticket: UInt64) -> BusEvent {
    .called(
      BusIncoming(
        isSignal: false, sender: caller, path: BrokerCalls.object, interface: BrokerCalls.name,
        member: BrokerCalls.method, signature: BrokerCalls.signature,
        arguments: [.text("/dev/null"), .text("read"), .unsigned(1), .unsigned(3)]),
      ticket: ticket)
  }

  static func gone(_ caller: String, sender: String = "org.freedesktop.DBus") -> BusEvent {
    .signalled(
      BusIncoming(
        isSignal: true, sender: sender, path: "/org/freedesktop/DBus",
        interface: "org.freedesktop.DBus", member: "NameOwnerChanged", signature: "sss",
        arguments: [.text(caller), .text(caller), .text("")]))
  }

  /// Returns the answer of the bus with a process or user ID.
  static func number(_ number: UInt64, _ ticket: UInt64) -> BusEvent {
    .answered(ticket: ticket, .success([.unsigned(number)]))
  }

  /// Returns polkit's approval.
  static func yes(_ ticket: UInt64) -> BusEvent {
    .answered(
      ticket: ticket, .success([.list([.boolean(true), .boolean(false), .list([])])]))
  }

  /// Handles the request of a caller up to the question to polkit.
  ///
  /// - Returns: The last orders of the broker.
  @discardableResult
  static func ask(
    _ broker: inout Broker, _ caller: String, ticket: UInt64, process: pid_t = getpid(),
    at now: ContinuousClock.Instant
  ) -> [BusOrder] {
    _ = broker.take(call(of: caller, ticket: ticket), at: now)
    return tellUser(&broker, ticket, process: process, at: now)
  }

  /// Answers the broker's questions about a caller.
  @discardableResult
  static func tellUser(
    _ broker: inout Broker, _ ticket: UInt64, process: pid_t = getpid(),
    at now: ContinuousClock.Instant
  ) -> [BusOrder] {
    _ = broker.take(number(UInt64(process), ticket), at: now)
    return broker.take(number(1000, ticket), at: now)
  }

  /// Waits until a thread has woken the broker.
  static func isWoken(_ broker: Broker) async -> Bool {
    guard let wake = broker.wake else { return false }
    return await eventually {
      var event = pollfd(fd: wake.reader, events: Int16(POLLIN), revents: 0)
      return unsafe poll(&event, 1, 0) == 1
    }
  }

  /// Returns the name of the error in an answer, or the first other order.
  static func word(_ orders: [BusOrder]) -> String {
    switch orders.first {
    case .answer(_, .failure(let name, _)): String(name.split(separator: ".").last ?? "")
    case .answer(_, .values): "values"
    case .answer(_, .refusal(let name, _)): name
    case .call(let call, _): call.member
    case .end: "end"
    case nil: ""
    }
  }
}
