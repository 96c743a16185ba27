import LegoPublishers
import Testing

/// Where demand goes when there is more than one upstream.
@Suite struct Demand {
  private let first = PassthroughSubject<Int, Never>()
  private let second = PassthroughSubject<Int, Never>()

  @Test func `of a sequence without an end is all that is read`() {
    let probe = Probe<Int, Never>(demand: .max(2))
    (1...).publisher.subscribe(probe)
    #expect(probe.events == ["1", "2"])
    probe.request(.max(1))
    #expect(probe.events == ["1", "2", "3"])
    let few = Probe<Int, Never>(demand: .unlimited)
    (1...).publisher.prefix(3).subscribe(few)
    #expect(few.events == ["1", "2", "3", "finished"])
    let read = Collected<Int>()
    CountedNumbers(read: read).publisher.subscribe(Probe<Int, Never>(demand: .max(2)))
    // One element is read ahead.
    #expect(read.values == [1, 2, 3])
  }

  /// The numbers from 1, which records those that are read.
  private struct CountedNumbers: Sequence, IteratorProtocol, Sendable {
    let read: Collected<Int>
    private var last = 0

    init(read: Collected<Int>) { self.read = read }

    mutating func next() -> Int? {
      last += 1
      read.append(last)
      return last
    }
  }

  @Test func `for the last element is told with the end`() {
    let probe = Probe<Int, Never>(demand: .max(2))
    [1, 2].publisher.subscribe(probe)
    #expect(probe.events == ["1", "2", "finished"])
    let empty = Probe<Int, Never>(demand: .none)
    [].publisher.subscribe(empty)
    #expect(empty.events == ["finished"])
  }

  @Test func `is one for each publisher that is mixed in`() {
    let asked = Collected<Int>()
    let logged = first.handleEvents(receiveRequest: { asked.append($0.max ?? -1) })
    let probe = Probe<Int, Never>(demand: .none)
    logged.merge(with: second).subscribe(probe)
    #expect(asked.values == [1])
    first.send(1)
    first.send(2)
    second.send(3)
    #expect(probe.events == [])
    probe.request(.max(1))
    #expect(probe.events == ["1"])
    #expect(asked.values == [1, 1])
    probe.request(.max(1))
    #expect(probe.events == ["1", "3"])
    first.send(4)
    #expect(probe.events == ["1", "3"])
    probe.request(.unlimited)
    #expect(probe.events == ["1", "3", "4"])
    first.send(5)
    #expect(probe.events == ["1", "3", "4", "5"])
  }

  @Test func `goes to the latest publisher, and nothing of an older one waits`() {
    let outer = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
    let probe = Probe<Int, Never>(demand: .none)
    outer.switchToLatest().subscribe(probe)
    outer.send(first)
    first.send(1)
    outer.send(second)
    probe.request(.max(2))
    #expect(probe.events == [])
    second.send(2)
    outer.send(first)
    first.send(3)
    first.send(4)
    second.send(5)
    #expect(probe.events == ["2", "3"])
  }

  @Test func `goes on with the publisher that follows`() {
    let probe = Probe<Int, Never>(demand: .max(1))
    first.append(second).subscribe(probe)
    first.send(1)
    first.send(completion: .finished)
    second.send(2)
    #expect(probe.events == ["1"])
    probe.request(.max(1))
    second.send(3)
    second.send(completion: .finished)
    #expect(probe.events == ["1", "3", "finished"])
  }

  @Test func `for pairs gets the latest pair`() {
    let probe = Probe<String, Never>(demand: .max(1))
    first.combineLatest(second) { "\($0)\($1)" }.subscribe(probe)
    first.send(1)
    second.send(2)
    first.send(3)
    second.send(4)
    #expect(probe.events == ["12"])
    probe.request(.max(1))
    #expect(probe.events == ["12", "34"])
  }

  @Test func `for pairs ends with both sides`() {
    let probe = Probe<String, Never>(demand: .unlimited)
    first.combineLatest(second) { "\($0)\($1)" }.subscribe(probe)
    first.send(completion: .finished)
    second.send(2)
    #expect(probe.events == [])
    second.send(completion: .finished)
    #expect(probe.events == ["finished"])
  }

  @Test func `is not spent on what is dropped`() {
    let probe = Probe<Int, Never>(demand: .max(2))
    (1...10).publisher.filter { $0.isMultiple(of: 4) }.subscribe(probe)
    #expect(probe.events == ["4", "8"])
  }
}

/// Publishers that fail and publishers that cannot, together.
@Suite struct `A publisher that cannot fail` {
  private func events<P: Publisher>(_ publisher: P) -> [String] {
    let probe = Probe<P.Output, P.Failure>(demand: .unlimited)
    publisher.subscribe(probe)
    return probe.events
  }

  @Test func `is mixed into one that can`() {
    let upstream = [1, 2].publisher.setFailureType(to: Failed.self)
    #expect(events(upstream.flatMap { Just($0 * 10) }) == ["10", "20", "finished"])
    #expect(events(upstream.map { Just($0) }.switchToLatest()) == ["1", "2", "finished"])
  }

  @Test func `may make publishers that can`() {
    let upstream = [1, 2].publisher
    let failing = upstream.flatMap { number in
      Result<Int, Failed> { () throws(Failed) in if number > 1 { throw Failed() } else { number } }
        .publisher
    }
    #expect(events(failing) == ["1", "failure"])
    #expect(
      events(upstream.map { _ in Fail<Int, Failed>(error: Failed()) }.switchToLatest())
        == ["failure"])
  }
}
