import LegoPublishers
import RaceRounds
import Testing

/// What is sent before it is asked for, where Combine keeps it.
@Suite struct `A result is kept until it is wanted` {
  private let subject = PassthroughSubject<Int, Never>()

  private func probe<P: Publisher>(_ publisher: P) -> Probe<P.Output, P.Failure> {
    let probe = Probe<P.Output, P.Failure>(demand: .none)
    publisher.subscribe(probe)
    return probe
  }

  @Test func `by first`() {
    let any = probe(subject.first())
    let even = probe(subject.first { $0.isMultiple(of: 2) })
    for value in 1...4 { subject.send(value) }
    #expect(any.events == [])
    any.request(.max(1))
    even.request(.max(1))
    #expect(any.events == ["1", "finished"])
    #expect(even.events == ["2", "finished"])
  }

  @Test func `by last, reduce, collect and count`() {
    let last = probe(subject.last())
    let odd = probe(subject.last { !$0.isMultiple(of: 2) })
    let sum = probe(subject.reduce(0, +))
    let all = probe(subject.collect())
    let count = probe(subject.count())
    for value in 1...4 { subject.send(value) }
    subject.send(completion: .finished)
    last.request(.max(1))
    odd.request(.max(1))
    sum.request(.max(1))
    all.request(.max(1))
    count.request(.max(1))
    #expect(last.events == ["4", "finished"])
    #expect(odd.events == ["3", "finished"])
    #expect(sum.events == ["10", "finished"])
    #expect(all.events == ["[1, 2, 3, 4]", "finished"])
    #expect(count.events == ["4", "finished"])
  }

  @Test func `by contains, allSatisfy, min and max`() {
    let has = probe(subject.contains(2))
    let lacks = probe(subject.contains { $0 > 9 })
    let small = probe(subject.allSatisfy { $0 < 3 })
    let least = probe(subject.min())
    let most = probe(subject.max())
    for value in [2, 4, 1] { subject.send(value) }
    subject.send(completion: .finished)
    for probe in [has, lacks, small] { probe.request(.max(1)) }
    least.request(.max(1))
    most.request(.max(1))
    #expect(has.events == ["true", "finished"])
    #expect(lacks.events == ["false", "finished"])
    #expect(small.events == ["false", "finished"])
    #expect(least.events == ["1", "finished"])
    #expect(most.events == ["4", "finished"])
  }

  @Test func `but a failure and an end without a value come at once`() {
    let failing = PassthroughSubject<Int, Failed>()
    let failed = probe(failing.collect())
    failing.send(1)
    failing.send(completion: .failure(Failed()))
    #expect(failed.events == ["failure"])
    #expect(probe(Empty<Int, Never>().first()).events == ["finished"])
    #expect(probe([1, 2].publisher.ignoreOutput()).events == ["finished"])
  }

  @Test func `and upstream is cancelled as soon as it is known`() {
    let cancelled = Collected<Int>()
    let logged = subject.handleEvents(receiveCancel: { cancelled.append(1) })
    let probe = probe(logged.first())
    subject.send(1)
    #expect(cancelled.values == [1])
    subject.send(2)
    probe.request(.unlimited)
    #expect(probe.events == ["1", "finished"])
  }

  @Test func `and none is sent after a cancel`() {
    let probe = probe(subject.first())
    subject.send(1)
    probe.cancel()
    probe.request(.max(1))
    #expect(probe.events == [])
  }

  @Test func `and a receiver may ask and cancel while it receives`() {
    let probe = Probe<Int, Never>(demand: .unlimited) { probe, _ in
      probe.request(.max(1))
      probe.cancel()
      return .unlimited
    }
    subject.first().subscribe(probe)
    subject.send(1)
    subject.send(2)
    #expect(probe.events == ["1"])
  }

  @Test func `one result comes of two threads`() {
    for _ in 0..<raceRounds(1_000) {
      let subject = PassthroughSubject<Int, Never>()
      let witness = Witness<Int>()
      subject.first().subscribe(witness)
      onBothThreads({ subject.send(1) }, { witness.request(.max(1)) })
      #expect(witness.count == 1)
      #expect(witness.isFinished)
    }
  }

  @Test func `by share for the one that asks first`() async {
    var seen: [Int] = []
    for await value in (7...7).publisher.share().values { seen.append(value) }
    #expect(seen == [7])
    let probe = Probe<Int, Never>(demand: .none)
    (1...3).publisher.share().subscribe(probe)
    #expect(probe.events == [])
    probe.request(.unlimited)
    #expect(probe.events == ["1", "2", "3", "finished"])
  }

  @Test func `by a multicast until it is connected`() {
    let multicast = (1...2).publisher.makeConnectable()
    let probes = (0..<2).map { _ in Probe<Int, Never>(demand: .unlimited) }
    for probe in probes { multicast.subscribe(probe) }
    #expect(probes[0].events == [])
    let connection = multicast.connect()
    for probe in probes { #expect(probe.events == ["1", "2", "finished"]) }
    connection.cancel()
  }
}
