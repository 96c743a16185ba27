import LegoPublishers
import Synchronization
import Testing

@Suite struct `A passthrough subject` {
  @Test func `sends to those who listen and keeps nothing`() {
    let subject = PassthroughSubject<Int, Never>()
    subject.send(1)
    let probe = Probe<Int, Never>(demand: .unlimited)
    subject.subscribe(probe)
    subject.send(2)
    subject.send(completion: .finished)
    subject.send(3)
    #expect(probe.events == ["2", "finished"])
  }

  @Test func `tells a late subscriber the end`() {
    let subject = PassthroughSubject<Int, Failed>()
    subject.send(completion: .failure(Failed()))
    let probe = Probe<Int, Failed>(demand: .none)
    subject.subscribe(probe)
    #expect(probe.events == ["failure"])
  }

  @Test func `sends no more than was asked for`() {
    let subject = PassthroughSubject<Int, Never>()
    let probe = Probe<Int, Never>(demand: .none)
    subject.subscribe(probe)
    subject.send(1)
    probe.request(.max(2))
    for value in 2...5 { subject.send(value) }
    probe.request(.max(1))
    subject.send(6)
    subject.send(7)
    #expect(probe.events == ["2", "3", "6"])
  }

  @Test func `adds the demand that a receiver answers with`() {
    let subject = PassthroughSubject<Int, Never>()
    let probe = Probe<Int, Never>(demand: .max(1)) { _, value in value < 3 ? .max(1) : .none }
    subject.subscribe(probe)
    for value in 1...5 { subject.send(value) }
    #expect(probe.events == ["1", "2", "3"])
  }

  @Test func `a subscriber that cancels while it receives gets nothing more`() {
    let subject = PassthroughSubject<Int, Never>()
    let probe = Probe<Int, Never>(demand: .unlimited) { probe, _ in
      probe.cancel()
      return .none
    }
    subject.subscribe(probe)
    subject.send(1)
    subject.send(2)
    subject.send(completion: .finished)
    #expect(probe.events == ["1"])
  }

  @Test func `shows all subscribers one order when one of them sends`() {
    let subject = PassthroughSubject<Int, Never>()
    let first = Probe<Int, Never>(demand: .unlimited) { _, value in
      if value < 3 { subject.send(value + 1) }
      return .none
    }
    let second = Probe<Int, Never>(demand: .unlimited)
    subject.subscribe(first)
    subject.subscribe(second)
    subject.send(1)
    #expect(first.events == ["1", "2", "3"])
    #expect(second.events == ["1", "2", "3"])
  }

  @Test func `loses nothing that several threads send`() async {
    let subject = PassthroughSubject<Int, Never>()
    let seen = Collected<Int>()
    let token = subject.sink { seen.append($0) }
    await withTaskGroup { group in
      for start in [0, 1_000, 2_000] {
        group.addTask { for value in start..<start + 1_000 { subject.send(value) } }
      }
    }
    #expect(seen.values.sorted() == Array(0..<3_000))
    token.cancel()
  }

  @Test func `frees its subscribers at the end`() {
    final class Resource: Sendable {}
    var resource: Resource? = Resource()
    weak let freed = resource
    let subject = PassthroughSubject<Int, Never>()
    let token = subject.sink { [resource] _ in withExtendedLifetime(resource) {} }
    resource = nil
    subject.send(completion: .finished)
    #expect(freed == nil)
    withExtendedLifetime(token) {}
  }

  @Test func `ends a subscriber only after it has received its subscription`() {
    let subject = PassthroughSubject<Int, Never>()
    let subscriber = EndingSubscriber(subject)
    subject.subscribe(subscriber)
    #expect(subscriber.events.values == ["subscription", "completion"])
  }
}

@Suite struct `A current value subject` {
  @Test func `sends its value first`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let probe = Probe<Int, Never>(demand: .unlimited)
    subject.subscribe(probe)
    subject.send(2)
    subject.value = 3
    #expect(subject.value == 3)
    #expect(probe.events == ["1", "2", "3"])
  }

  @Test func `sends the latest to one that asks late, and nothing twice`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let probe = Probe<Int, Never>(demand: .none)
    subject.subscribe(probe)
    subject.send(2)
    subject.send(3)
    probe.request(.max(1))
    probe.request(.max(1))
    #expect(probe.events == ["3"])
    subject.send(4)
    #expect(probe.events == ["3", "4"])
  }
}

/// A subscriber that ends its subject while it receives its subscription.
private final class EndingSubscriber: Subscriber {
  let events = Collected<String>()
  private let subject: PassthroughSubject<Int, Never>

  init(_ subject: PassthroughSubject<Int, Never>) { self.subject = subject }

  func receive(subscription: any Subscription) {
    subject.send(completion: .finished)
    events.append("subscription")
  }

  func receive(_ input: Int) -> Subscribers.Demand { .none }

  func receive(completion: Subscribers.Completion<Never>) { events.append("completion") }
}
