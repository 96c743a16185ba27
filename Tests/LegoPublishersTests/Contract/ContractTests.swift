import LegoPublishers
import RaceRounds
import Synchronization
import Testing

/// What Combine's documentation promises of every publisher, for every operator.
@Suite struct `Every operator` {
  private let subject = PassthroughSubject<Int, Failed>()

  @Test(arguments: Relay.all)
  func `passes on all values, and the end once`(_ relay: Relay) {
    let probe = Probe<Int, Failed>(demand: .unlimited)
    relay((1...5).publisher.setFailureType(to: Failed.self)).subscribe(probe)
    #expect(probe.events == ["1", "2", "3", "4", "5", "finished"])
    #expect(probe.subscriptions == 1)
  }

  @Test(arguments: Relay.all)
  func `passes on a failure after the values`(_ relay: Relay) {
    let probe = Probe<Int, Failed>(demand: .unlimited)
    relay(subject).subscribe(probe)
    subject.send(1)
    subject.send(2)
    subject.send(completion: .failure(Failed()))
    #expect(probe.events == ["1", "2", "failure"])
  }

  @Test(arguments: Relay.all)
  func `sends no value that was not asked for`(_ relay: Relay) {
    let probe = Probe<Int, Failed>(demand: .none)
    relay((1...9).publisher.setFailureType(to: Failed.self)).subscribe(probe)
    #expect(probe.values == [])
    probe.request(.none)
    #expect(probe.values == [])
    probe.request(.max(2))
    #expect(probe.values.count <= 2)
    if relay.keepsAll {
      #expect(probe.events == ["1", "2"])
      probe.request(.max(1))
      #expect(probe.events == ["1", "2", "3"])
      probe.request(.unlimited)
      #expect(probe.events == (1...9).map { "\($0)" } + ["finished"])
    }
  }

  @Test(arguments: Relay.all.filter(\.keepsAll))
  func `adds what a receiver asks for`(_ relay: Relay) {
    let probe = Probe<Int, Failed>(demand: .max(1)) { _, value in value < 4 ? .max(1) : .none }
    relay((1...9).publisher.setFailureType(to: Failed.self)).subscribe(probe)
    #expect(probe.events == ["1", "2", "3", "4"])
  }

  @Test(arguments: Relay.all)
  func `cancels upstream once, however often it is told to`(_ relay: Relay) {
    let cancels = Collected<Int>()
    let probe = Probe<Int, Failed>(demand: .unlimited)
    relay(subject.handleEvents(receiveCancel: { cancels.append(1) })).subscribe(probe)
    subject.send(1)
    probe.cancel()
    probe.cancel()
    subject.send(2)
    subject.send(completion: .finished)
    #expect(probe.events == ["1"])
    #expect(cancels.values == [1])
  }

  @Test(arguments: Relay.all)
  func `sends nothing more to one that cancels while it receives`(_ relay: Relay) {
    let probe = Probe<Int, Failed>(demand: .unlimited) { probe, value in
      if value == 2 { probe.cancel() }
      return .max(1)
    }
    relay((1...5).publisher.setFailureType(to: Failed.self)).subscribe(probe)
    #expect(probe.events == ["1", "2"])
  }

  @Test(arguments: Relay.all)
  func `sends nothing to one that cancels when it is connected`(_ relay: Relay) {
    let probe = Probe<Int, Failed>(demand: .unlimited)
    probe.cancelsAtOnce = true
    relay((1...5).publisher.setFailureType(to: Failed.self)).subscribe(probe)
    #expect(probe.events == [])
  }

  @Test(arguments: Relay.all)
  func `ignores what comes after the end`(_ relay: Relay) {
    let probe = Probe<Int, Failed>(demand: .unlimited)
    relay(subject).subscribe(probe)
    subject.send(1)
    subject.send(completion: .finished)
    subject.send(2)
    subject.send(completion: .failure(Failed()))
    #expect(probe.events == ["1", "finished"])
  }

  @Test(arguments: Relay.all)
  func `tells one that comes after the end`(_ relay: Relay) {
    subject.send(completion: .finished)
    let probe = Probe<Int, Failed>(demand: .none)
    relay(subject).subscribe(probe)
    #expect(probe.events == ["finished"])
    #expect(probe.subscriptions == 1)
  }

  @Test(arguments: Relay.all)
  func `keeps the order when a receiver sends`(_ relay: Relay) {
    let probe = Probe<Int, Failed>(demand: .unlimited) { [subject] _, value in
      if value < 4 { subject.send(value + 1) } else { subject.send(completion: .finished) }
      return .none
    }
    relay(subject).subscribe(probe)
    subject.send(1)
    #expect(probe.events == ["1", "2", "3", "4", "finished"])
  }

  @Test(arguments: Relay.all.filter(\.keepsAll))
  func `serves one that asks while it receives`(_ relay: Relay) {
    let probe = Probe<Int, Failed>(demand: .max(1)) { probe, _ in
      probe.request(.max(1))
      return .none
    }
    relay((1...5).publisher.setFailureType(to: Failed.self)).subscribe(probe)
    #expect(probe.events == ["1", "2", "3", "4", "5", "finished"])
  }

  @Test(arguments: Relay.all)
  func `connects one that another brings when it is connected`(_ relay: Relay) {
    let publisher = relay(subject)
    let second = Probe<Int, Failed>(demand: .unlimited)
    let first = Probe<Int, Failed>(demand: .unlimited)
    publisher.handleEvents(receiveSubscription: { _ in publisher.subscribe(second) })
      .subscribe(first)
    subject.send(1)
    subject.send(completion: .finished)
    #expect(first.events == ["1", "finished"])
    #expect(second.events == ["1", "finished"])
  }

  @Test(arguments: Relay.all)
  func `serves each subscriber`(_ relay: Relay) {
    let publisher = relay(subject)
    let probes = (0..<2).map { _ in Probe<Int, Failed>(demand: .unlimited) }
    for probe in probes { publisher.subscribe(probe) }
    subject.send(1)
    probes[0].cancel()
    probes[0].cancel()
    subject.send(2)
    subject.send(completion: .finished)
    #expect(probes[0].events == ["1"])
    #expect(probes[1].events == ["1", "2", "finished"])
  }

  @Test(arguments: Relay.all, Ending.allCases)
  func `frees all at the end`(_ relay: Relay, _ ending: Ending) {
    var resource: Resource? = Resource()
    weak let freed = resource
    let token = resource.map { connect(relay, keeping: $0) }
    resource = nil
    subject.send(1)
    #expect(freed != nil)
    switch ending {
    case .finish: subject.send(completion: .finished)
    case .fail: subject.send(completion: .failure(Failed()))
    case .cancel: token?.cancel()
    }
    #expect(freed == nil)
    withExtendedLifetime(token) {}
  }

  private final class Resource: Sendable {}

  private func connect(_ relay: Relay, keeping resource: Resource) -> AnyCancellable {
    relay(subject.map { value in withExtendedLifetime(resource) { value } })
      .sink(receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(resource) {} })
  }

  enum Ending: CaseIterable { case finish, fail, cancel }

  @Test(arguments: Relay.all)
  func `takes a cancel at any moment`(_ relay: Relay) async {
    for _ in 0..<raceRounds(20) {
      let subject = PassthroughSubject<Int, Failed>()
      let last = Atomic(0)
      let isOrdered = Atomic(true)
      let sink = Subscribers.Sink<Int, Failed>(
        receiveCompletion: { _ in },
        receiveValue: { value in
          if last.exchange(value, ordering: .relaxed) >= value {
            isOrdered.store(false, ordering: .relaxed)
          }
        })
      relay(subject).subscribe(sink)
      await withTaskGroup { group in
        group.addTask { for value in 1...500 { subject.send(value) } }
        group.addTask { sink.cancel() }
        group.addTask { subject.send(completion: .finished) }
      }
      let isOrderKept = isOrdered.load(ordering: .relaxed)
      #expect(isOrderKept)
    }
  }
}
