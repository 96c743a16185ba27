internal import AccessBroker
internal import AccessModel
internal import LinuxDevices
internal import MessageBus

/// Calls of the broker, and the answers of the bus and of polkit, made from whatever bytes there are.
struct FuzzedBroker {
  private var values: FuzzedValues
  private var unanswered: Set<UInt64> = []
  private var isUnderstood = false

  private static let null = KnownDevice(
    kind: .camera, node: "/dev/null", number: DeviceNumber(major: 1, minor: 3),
    sysfsPath: "/sys/devices/virtual/mem/null", name: nil)

  init(_ bytes: [UInt8]) { values = FuzzedValues(bytes) }

  /// Plays the messages; nothing ever says that a device is open, so none may be handed over.
  ///
  /// - Returns: Whether a message made sense.
  mutating func check() throws(BrokenPromise) -> Bool {
    guard let threads = try? OpeningThreads() else { throw BrokenPromise("there are no threads") }
    var broker = Broker(
      threads: threads, find: { $0 == Self.null.number ? Self.null : nil }, log: { _, _ in })
    let now = ContinuousClock.now
    var ticket: UInt64 = 0
    while let kind = values.byte() {
      let arguments = values.message()
      try check(AuthorityAnswer(.success(arguments)), arguments)
      if kind == UInt8(ascii: "c") {
        ticket += 1
        unanswered.insert(ticket)
      }
      try settle(broker.take(Self.event(kind, arguments, ticket), at: now))
    }
    try settle(broker.take(.timeReached, at: now + .seconds(1_000_000)))
    guard unanswered.isEmpty else { throw BrokenPromise("a call that is never answered") }
    return isUnderstood
  }

  private static func event(_ kind: UInt8, _ arguments: [BusValue], _ ticket: UInt64) -> BusEvent {
    switch kind {
    case UInt8(ascii: "c"):
      .called(
        BusIncoming(
          isSignal: false, sender: ":1.1", path: BrokerCalls.object, interface: BrokerCalls.name,
          member: BrokerCalls.method, signature: BrokerCalls.signature, arguments: arguments),
        ticket: ticket)
    case UInt8(ascii: "o"):
      .signalled(
        BusIncoming(
          isSignal: true, sender: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
          interface: "org.freedesktop.DBus", member: "NameOwnerChanged", signature: "sss",
          arguments: arguments))
    case UInt8(ascii: "f"):
      .answered(
        ticket: ticket, .failure(BusFailure(errno: 1, name: arguments.first?.text ?? "")))
    default: .answered(ticket: ticket, .success(arguments))
    }
  }

  private mutating func check(
    _ answer: AuthorityAnswer, _ values: [BusValue]
  ) throws(BrokenPromise) {
    guard answer == .authorized else { return }
    guard values.count == 1, values[0].elements?.first == .boolean(true) else {
      throw BrokenPromise("a yes that polkit has not given")
    }
    isUnderstood = true
  }

  private mutating func settle(_ orders: [BusOrder]) throws(BrokenPromise) {
    for order in orders {
      guard case .answer(let ticket, let answer) = order else { continue }
      guard unanswered.remove(ticket) != nil else {
        throw BrokenPromise("an answer to what nobody asked")
      }
      if case .values = answer { throw BrokenPromise("a device that was not opened") }
    }
  }
}
