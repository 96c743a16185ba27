import LegoPublishers
import Testing

@Suite struct `An operator that ported code brings` {
  private func events<P: Publisher>(
    _ publisher: P, demand: Subscribers.Demand = .unlimited
  ) -> [String] {
    let probe = Probe<P.Output, P.Failure>(demand: demand)
    publisher.subscribe(probe)
    return probe.events
  }

  private let numbers = (1...5).publisher

  @Test func `scan sends what accumulates`() {
    #expect(events(numbers.scan(0, +)) == ["1", "3", "6", "10", "15", "finished"])
    let failing = numbers.tryScan(0) { sum, value in
      if value > 2 { throw Failed() }
      return sum + value
    }
    #expect(events(failing) == ["1", "3", "failure"])
  }

  @Test func `drop and prefix take a test`() {
    #expect(events(numbers.dropFirst(3)) == ["4", "5", "finished"])
    #expect(events(numbers.dropFirst(3), demand: .max(1)) == ["4"])
    #expect(events(numbers.drop { $0 < 3 }) == ["3", "4", "5", "finished"])
    #expect(events(numbers.prefix { $0 < 3 }) == ["1", "2", "finished"])
  }

  @Test func `a closure that throws ends it`() {
    let failing = numbers.tryMap { value in
      if value == 3 { throw Failed() }
      return value
    }
    #expect(events(failing) == ["1", "2", "failure"])
    #expect(
      events(numbers.tryFilter { if $0 == 4 { throw Failed() } else { $0 > 2 } })
        == ["3", "failure"])
    #expect(
      events(numbers.tryCompactMap { if $0 == 4 { throw Failed() } else { $0 > 2 ? "x" : nil } })
        == ["x", "failure"])
  }

  @Test func `nil and nothing are replaced`() {
    #expect(
      events(["1", "x"].publisher.map { Int($0) }.replaceNil(with: 0)) == ["1", "0", "finished"])
    #expect(events(Empty<Int, Never>().replaceEmpty(with: 7)) == ["7", "finished"])
    #expect(events(Empty<Int, Never>().replaceEmpty(with: 7), demand: .none) == [])
    #expect(events(Just(1).replaceEmpty(with: 7)) == ["1", "finished"])
    #expect(events(Fail<Int, Failed>(error: Failed()).replaceEmpty(with: 7)) == ["failure"])
  }

  @Test func `a receiver may ask and cancel when nothing is replaced`() {
    let probe = Probe<Int, Never>(demand: .max(1)) { probe, _ in
      probe.request(.max(1))
      probe.cancel()
      return .max(1)
    }
    Empty<Int, Never>().replaceEmpty(with: 7).subscribe(probe)
    #expect(probe.events == ["7"])
  }

  @Test func `retry connects again, in a loop`() {
    let attempts = Collected<Int>()
    let failing = Deferred {
      attempts.append(1)
      return Just(1).setFailureType(to: Failed.self).append(Fail(error: Failed()))
    }
    #expect(events(failing.retry(2)) == ["1", "1", "1", "failure"])
    #expect(attempts.values.count == 3)
    #expect(events(Fail<Int, Failed>(error: Failed()).retry(100_000)) == ["failure"])
    #expect(events(Just(1).setFailureType(to: Failed.self).retry(2)) == ["1", "finished"])
  }

  @Test func `tryCatch fails with what its handler throws`() {
    let failing = Fail<Int, Failed>(error: Failed())
    #expect(events(failing.tryCatch { _ in Just(2) }) == ["2", "finished"])
    #expect(events(failing.tryCatch { error -> Just<Int> in throw error }) == ["failure"])
  }

  @Test func `collect makes arrays of a size`() {
    #expect(events(numbers.collect(2)) == ["[1, 2]", "[3, 4]", "[5]", "finished"])
    #expect(events(numbers.collect(2), demand: .max(1)) == ["[1, 2]"])
  }

  @Test func `a full buffer drops or fails`() {
    func events(_ strategy: Publishers.BufferingStrategy<Failed>) -> [String] {
      let subject = PassthroughSubject<Int, Failed>()
      let probe = Probe<Int, Failed>(demand: .none)
      subject.buffer(size: 2, prefetch: .byRequest, whenFull: strategy).subscribe(probe)
      for value in 1...4 { subject.send(value) }
      probe.request(.unlimited)
      subject.send(completion: .finished)
      return probe.events
    }
    #expect(events(.dropNewest) == ["1", "2", "finished"])
    #expect(events(.dropOldest) == ["3", "4", "finished"])
    #expect(events(.customError { Failed() }) == ["1", "2", "failure"])
  }

  @Test func `a buffer that is kept full asks for what fits in`() {
    let asked = Collected<Subscribers.Demand>()
    let probe = Probe<Int, Never>(demand: .none)
    (1...9).publisher.handleEvents(receiveRequest: { asked.append($0) })
      .buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).subscribe(probe)
    probe.request(.max(2))
    #expect(probe.events == ["1", "2"])
    #expect(asked.values == [.max(3), .max(1), .max(1)])
    probe.request(.unlimited)
    #expect(probe.events == (1...9).map { "\($0)" } + ["finished"])
  }
}
