import LegoPublishers
import Testing

@Suite struct `An operator` {
  private func events<P: Publisher>(
    _ publisher: P, demand: Subscribers.Demand = .unlimited
  ) -> [String] {
    let probe = Probe<P.Output, P.Failure>(demand: demand)
    publisher.subscribe(probe)
    return probe.events
  }

  @Test func `map, filter and compactMap keep the demand`() {
    let numbers = (1...10).publisher
    #expect(events(numbers.map { $0 * 2 }, demand: .max(2)) == ["2", "4"])
    #expect(events(numbers.filter { $0 % 5 == 0 }) == ["5", "10", "finished"])
    #expect(events(numbers.filter { $0 % 5 == 0 }, demand: .max(1)) == ["5"])
    #expect(events(["1", "x", "3"].publisher.compactMap { Int($0) }) == ["1", "3", "finished"])
  }

  @Test func `prepend and append go one after another`() {
    let numbers = [2, 3].publisher.prepend(0, 1).append(4)
    #expect(events(numbers) == ["0", "1", "2", "3", "4", "finished"])
    #expect(events(numbers, demand: .max(3)) == ["0", "1", "2"])
  }

  @Test func `prefix and first cancel upstream`() {
    let subject = PassthroughSubject<Int, Never>()
    let log = Collected<String>()
    let logged = subject.handleEvents(receiveCancel: { log.append("cancel") })
    let probe = Probe<Int, Never>(demand: .unlimited)
    logged.prefix(2).subscribe(probe)
    for value in 1...4 { subject.send(value) }
    #expect(probe.events == ["1", "2", "finished"])
    #expect(log.values == ["cancel"])
    #expect(events((1...5).publisher.first { $0 > 3 }) == ["4", "finished"])
    #expect(events((1...5).publisher.prefix(0)) == ["finished"])
  }

  @Test func `removeDuplicates drops only repetitions`() {
    #expect(
      events([1, 1, 2, 2, 1].publisher.removeDuplicates()) == ["1", "2", "1", "finished"])
  }

  @Test func `flatMap mixes what it makes`() {
    let numbers = [1, 2].publisher.flatMap { [$0, $0 * 10].publisher }
    #expect(events(numbers) == ["1", "10", "2", "20", "finished"])
    #expect(events(numbers, demand: .max(3)).count == 3)
  }

  @Test func `flatMap keeps to its limit`() {
    let subjects = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
    let probe = Probe<Int, Never>(demand: .unlimited)
    [0, 1].publisher.flatMap(maxPublishers: .max(1)) { subjects[$0] }.subscribe(probe)
    subjects[1].send(10)
    subjects[0].send(1)
    subjects[0].send(completion: .finished)
    subjects[1].send(20)
    subjects[1].send(completion: .finished)
    #expect(probe.events == ["1", "20", "finished"])
  }

  @Test func `flatMap fails with the first failure`() {
    let bad = Fail<Int, Failed>(error: Failed())
    #expect(
      events([1, 2].publisher.setFailureType(to: Failed.self).flatMap { _ in bad }) == ["failure"])
  }

  @Test func `switchToLatest drops the one before`() {
    let first = PassthroughSubject<Int, Never>()
    let second = PassthroughSubject<Int, Never>()
    let outer = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
    let probe = Probe<Int, Never>(demand: .unlimited)
    outer.switchToLatest().subscribe(probe)
    outer.send(first)
    first.send(1)
    outer.send(second)
    first.send(2)
    second.send(3)
    outer.send(completion: .finished)
    #expect(probe.events == ["1", "3"])
    second.send(completion: .finished)
    #expect(probe.events == ["1", "3", "finished"])
  }

  @Test func `merge ends with the last`() {
    let left = PassthroughSubject<Int, Never>()
    let right = PassthroughSubject<Int, Never>()
    let probe = Probe<Int, Never>(demand: .unlimited)
    left.merge(with: right).subscribe(probe)
    left.send(1)
    right.send(2)
    left.send(completion: .finished)
    right.send(3)
    right.send(completion: .finished)
    #expect(probe.events == ["1", "2", "3", "finished"])
  }

  @Test func `combineLatest needs a value of each`() {
    let left = PassthroughSubject<Int, Never>()
    let right = PassthroughSubject<String, Never>()
    let probe = Probe<String, Never>(demand: .unlimited)
    left.combineLatest(right) { "\($0)\($1)" }.subscribe(probe)
    left.send(1)
    right.send("a")
    left.send(2)
    right.send("b")
    #expect(probe.events == ["1a", "2a", "2b"])
  }

  @Test func `three publishers are merged and joined`() {
    let a = PassthroughSubject<Int, Never>()
    let b = PassthroughSubject<Int, Never>()
    let c = PassthroughSubject<Int, Never>()
    let merged = Probe<Int, Never>(demand: .unlimited)
    Publishers.Merge3(a, b, c).subscribe(merged)
    let joined = Probe<Int, Never>(demand: .unlimited)
    a.combineLatest(b, c) { $0 * 100 + $1 * 10 + $2 }.subscribe(joined)
    for (subject, value) in zip([a, b, c, a], 1...) { subject.send(value) }
    for subject in [a, b, c] { subject.send(completion: .finished) }
    #expect(merged.events == ["1", "2", "3", "4", "finished"])
    #expect(joined.events == ["123", "423", "finished"])
    #expect(events(Publishers.Merge(Just(1), Just(2))) == ["1", "2", "finished"])
    #expect(
      events(Publishers.CombineLatest3(Just(1), Just(2), Just(3))) == ["(1, 2, 3)", "finished"])
  }

  @Test func `four publishers are merged and joined`() {
    let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
    let merged = Probe<Int, Never>(demand: .unlimited)
    subjects[0].merge(with: subjects[1], subjects[2], subjects[3]).subscribe(merged)
    let joined = Probe<Int, Never>(demand: .unlimited)
    subjects[0].combineLatest(subjects[1], subjects[2], subjects[3]) {
      $0 * 1_000 + $1 * 100 + $2 * 10 + $3
    }.subscribe(joined)
    for (subject, value) in zip(subjects + [subjects[1]], 1...) { subject.send(value) }
    for subject in subjects { subject.send(completion: .finished) }
    #expect(merged.events == ["1", "2", "3", "4", "5", "finished"])
    #expect(joined.events == ["1234", "1534", "finished"])
  }

  @Test func `catch and replaceError go on after a failure`() {
    let bad = [1].publisher.setFailureType(to: Failed.self).append(Fail(error: Failed()))
    #expect(events(bad) == ["1", "failure"])
    #expect(events(bad.catch { _ in [7, 8].publisher }) == ["1", "7", "8", "finished"])
    #expect(events(bad.replaceError(with: 9)) == ["1", "9", "finished"])
    #expect(events(bad.replaceError(with: 9), demand: .max(1)) == ["1"])
    #expect(events(bad.mapError { _ in Failed() }) == ["1", "failure"])
  }

  @Test func `share subscribes once`() {
    let subject = PassthroughSubject<Int, Never>()
    let log = Collected<String>()
    let shared =
      subject
      .handleEvents(
        receiveSubscription: { _ in log.append("subscribe") },
        receiveCancel: { log.append("cancel") }
      )
      .share()
    let first = shared.sink { log.append("a\($0)") }
    let second = shared.sink { log.append("b\($0)") }
    subject.send(1)
    first.cancel()
    subject.send(2)
    second.cancel()
    subject.send(3)
    #expect(log.values == ["subscribe", "a1", "b1", "b2", "cancel"])
  }

  @Test func `a deferred publisher is made for each subscriber`() {
    let made = Collected<Int>()
    let deferred = Deferred {
      made.append(1)
      return Just(made.values.count)
    }
    #expect(events(deferred) == ["1", "finished"])
    #expect(events(deferred) == ["2", "finished"])
  }

  @Test func `the simple publishers do what they say`() {
    #expect(events(Just(1)) == ["1", "finished"])
    #expect(events(Just(1), demand: .none) == [])
    #expect(events(Empty<Int, Never>()) == ["finished"])
    #expect(events(Empty<Int, Never>(completeImmediately: false)) == [])
    #expect(events(Fail<Int, Failed>(error: Failed())) == ["failure"])
    #expect(events(Result<Int, Failed>.success(1).publisher) == ["1", "finished"])
    #expect(events(Result<Int, Failed>.failure(Failed()).publisher) == ["failure"])
    #expect(events(Just(1).eraseToAnyPublisher()) == ["1", "finished"])
    #expect(events(AnyPublisher<Int, Never>.empty) == ["finished"])
  }

  @Test func `assign writes to an object`() {
    final class Target: Sendable {
      let box = CurrentValueSubject<Int, Never>(0)
      var number: Int {
        get { box.value }
        set { box.value = newValue }
      }
    }
    let target = Target()
    let token = [1, 2].publisher.assign(to: \.number, on: target)
    #expect(target.number == 2)
    withExtendedLifetime(token) {}
  }

  @Test func `demand never goes below zero nor above unlimited`() {
    #expect(Subscribers.Demand.max(-1) == .none)
    #expect(Subscribers.Demand.max(1) - .max(2) == .none)
    #expect(Subscribers.Demand.unlimited - 1 == .unlimited)
    #expect(Subscribers.Demand.unlimited + 1 == .unlimited)
    #expect(Subscribers.Demand.max(.max - 1) + 5 == .unlimited)
    #expect(Subscribers.Demand.max(2) * 3 == .max(6))
    #expect("\(Subscribers.Demand.max(2)) \(Subscribers.Demand.unlimited)" == "max(2) unlimited")
  }

  @Test func `a cancelled token is cancelled once, and so is a freed one`() {
    let log = Collected<Int>()
    var token: AnyCancellable? = AnyCancellable { log.append(1) }
    token?.cancel()
    token?.cancel()
    token = nil
    #expect(log.values == [1])
    var tokens: Set<AnyCancellable> = []
    AnyCancellable { log.append(2) }.store(in: &tokens)
    tokens = []
    #expect(log.values == [1, 2])
  }
}
