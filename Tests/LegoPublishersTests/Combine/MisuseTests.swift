import LegoPublishers
import Testing

/// A publisher that does not keep the rules, and an operator that has to.
@Suite struct `Under misuse` {
  /// Hands out its subscriber, so that a test can break the rules.
  private final class Rude: Publisher {
    typealias Output = Int
    typealias Failure = Failed
    let subscribers = Collected<AnySubscriber<Int, Failed>>()
    var subscriber: AnySubscriber<Int, Failed> { subscribers.values[0] }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failed {
      subscribers.append(AnySubscriber(subscriber))
    }
  }

  private final class Ticket: Subscription {
    let log = Collected<String>()
    func request(_ demand: Subscribers.Demand) { log.append("\(demand)") }
    func cancel() { log.append("cancel") }
  }

  /// The operators that have a state of their own; those that only change a value pass on all.
  private static let keepers = Relay.all.filter {
    ![
      "map", "mapError", "share", "deferred", "prepend", "append", "merge", "combineLatest",
      "replaceError, setFailureType", "throttle", "tryMap", "tryCatch", "subscribe(on:)",
    ].contains($0.testDescription)
  }

  @Test(arguments: keepers)
  func `a second subscription is cancelled`(_ relay: Relay) {
    let rude = Rude()
    let probe = Probe<Int, Failed>(demand: .unlimited)
    relay(rude).subscribe(probe)
    let tickets = [Ticket(), Ticket()]
    for ticket in tickets { rude.subscriber.receive(subscription: ticket) }
    #expect(tickets[1].log.values == ["cancel"])
    #expect(!tickets[0].log.values.contains("cancel"))
    #expect(probe.subscriptions == 1)
  }

  @Test(arguments: keepers)
  func `a value before the subscription is ignored`(_ relay: Relay) {
    let rude = Rude()
    let probe = Probe<Int, Failed>(demand: .unlimited)
    relay(rude).subscribe(probe)
    #expect(rude.subscriber.receive(1) == .none)
    #expect(probe.events == [])
  }

  @Test(arguments: keepers)
  func `a value after the end is ignored, and so is a second end`(_ relay: Relay) {
    let rude = Rude()
    let probe = Probe<Int, Failed>(demand: .unlimited)
    relay(rude).subscribe(probe)
    rude.subscriber.receive(subscription: Ticket())
    rude.subscriber.receive(completion: .finished)
    _ = rude.subscriber.receive(1)
    rude.subscriber.receive(completion: .failure(Failed()))
    #expect(probe.events == ["finished"])
  }

  @Test(arguments: keepers)
  func `a subscription after a cancel is cancelled`(_ relay: Relay) {
    let rude = Rude()
    let probe = Probe<Int, Failed>(demand: .unlimited)
    relay(rude).subscribe(probe)
    probe.cancel()
    let ticket = Ticket()
    if probe.subscriptions == 1 {
      rude.subscriber.receive(subscription: ticket)
      #expect(ticket.log.values.last == "cancel")
    } else {
      // An operator that hands on its subscription has none to cancel before.
      rude.subscriber.receive(subscription: ticket)
      probe.cancel()
      #expect(ticket.log.values.last == "cancel")
    }
  }

  @Test func `a demand of nothing or less asks nobody`() {
    let asked = Collected<Subscribers.Demand>()
    let subject = PassthroughSubject<Int, Never>()
    let probe = Probe<Int, Never>(demand: .none)
    subject.handleEvents(receiveRequest: { asked.append($0) }).map { $0 }.filter { _ in true }
      .subscribe(probe)
    probe.request(.none)
    probe.request(.max(-3))
    subject.send(1)
    #expect(probe.events == [])
  }

  @Test func `places out of range are places where nothing is`() {
    func events<P: Publisher<Int, Never>>(_ publisher: P) -> [String] {
      let probe = Probe<Int, Never>(demand: .unlimited)
      publisher.subscribe(probe)
      return probe.events
    }
    let numbers = (0..<5).publisher
    #expect(events(numbers.prefix(-1)) == ["finished"])
    #expect(events(numbers.output(at: -1)) == ["finished"])
    #expect(events(numbers.output(at: 2)) == ["2", "finished"])
    #expect(events(numbers.output(at: .max)) == ["finished"])
    #expect(events(numbers.output(in: 3...)) == ["3", "4", "finished"])
    #expect(events(numbers.output(in: 1...(.max))) == ["1", "2", "3", "4", "finished"])
    #expect(events(numbers.dropFirst(-2)) == ["0", "1", "2", "3", "4", "finished"])
    #expect(events(numbers.collect(0).map(\.count)) == ["1", "1", "1", "1", "1", "finished"])
  }
}
