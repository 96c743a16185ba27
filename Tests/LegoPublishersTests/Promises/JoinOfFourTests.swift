import LegoPublishers
import RaceRounds
import Synchronization
import Testing

@Suite struct `A join of four publishers` {
  private let subjects = (0..<4).map { _ in PassthroughSubject<Int, Failed>() }
  private let log = Collected<String>()

  private func probe(
    demand: Subscribers.Demand,
    _ onValue: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> Probe<Int, Failed> {
    let probe = Probe<Int, Failed>(demand: demand)
    let inlets = subjects.enumerated().map { [log] index, subject in
      subject.handleEvents(
        receiveCancel: { log.append("cancel \(index)") },
        receiveRequest: { log.append("\(index) \($0)") })
    }
    inlets[0].zip(inlets[1], inlets[2], inlets[3]) { $0 * 1_000 + $1 * 100 + $2 * 10 + $3 }
      .handleEvents(receiveOutput: onValue)
      .subscribe(probe)
    return probe
  }

  private func send(_ value: Int) {
    for subject in subjects { subject.send(value) }
  }

  @Test func `four are zipped`() {
    let numbers = [1, 2].publisher
    let probe = Probe<Int, Never>(demand: .unlimited)
    numbers.zip(numbers, numbers, numbers) { $0 * 1_000 + $1 * 100 + $2 * 10 + $3 }
      .subscribe(probe)
    #expect(probe.events == ["1111", "2222", "finished"])
  }

  @Test func `zip of four asks all for what is wanted`() {
    let probe = probe(demand: .max(1))
    #expect(log.values.sorted() == (0..<4).map { "\($0) max(1)" })
    send(1)
    #expect(probe.events == ["1111"])
    send(2)
    #expect(probe.events == ["1111"])
    probe.request(.max(1))
    send(3)
    #expect(probe.events == ["1111", "3333"])
    #expect(log.values.sorted() == (0..<4).flatMap { ["\($0) max(1)", "\($0) max(1)"] })
  }

  @Test func `zip of four ends when nothing more can come of it`() {
    let probe = probe(demand: .unlimited)
    subjects[0].send(1)
    subjects[0].send(completion: .finished)
    #expect(probe.events == [])
    for subject in subjects.dropFirst() { subject.send(2) }
    #expect(probe.events == ["1222", "finished"])
    #expect(
      log.values.filter { $0.hasPrefix("cancel") }.sorted() == ["cancel 1", "cancel 2", "cancel 3"])
  }

  @Test func `zip of four cancels all`() {
    let probe = probe(demand: .unlimited)
    subjects[2].send(1)
    probe.cancel()
    send(2)
    #expect(probe.events == [])
    #expect(log.values.suffix(4).sorted() == (0..<4).map { "cancel \($0)" })
  }

  @Test func `zip of four takes values that a receiver sends`() {
    let subjects = subjects
    let probe = probe(demand: .unlimited) { number in
      if number < 3_333 { for subject in subjects { subject.send(number % 10 + 1) } }
    }
    send(1)
    #expect(probe.events == ["1111", "2222", "3333"])
  }

  @Test func `zip of four joins what belongs together`() {
    let count = raceRounds(10_000)
    let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
    let order = Ascending()
    let witness = Witness<[Int]> { Set($0).count == 1 ? order.check($0[0]) : "not of one place" }
    subjects[0].zip(subjects[1], subjects[2], subjects[3]) { [$0, $1, $2, $3] }.subscribe(witness)
    witness.request(.unlimited)
    onBothThreads(
      {
        for value in 0..<count {
          subjects[0].send(value)
          subjects[2].send(value)
        }
      },
      {
        for value in 0..<count {
          subjects[1].send(value)
          subjects[3].send(value)
        }
      })
    for subject in subjects { subject.send(completion: .finished) }
    #expect(witness.count == count)
    #expect(witness.isFinished)
    #expect(witness.faults == [])
  }

  @Test func `combineLatest of four never goes back to an older value`() {
    let count = raceRounds(10_000)
    let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
    let orders = (0..<4).map { _ in Ascending() }
    let last = Mutex<[Int]>([])
    let witness = Witness<[Int]> { values in
      last.withLock { $0 = values }
      return zip(orders, values).lazy.compactMap { $0.checkRepeating($1) }.first
    }
    subjects[0].combineLatest(subjects[1], subjects[2], subjects[3]) { [$0, $1, $2, $3] }
      .subscribe(witness)
    witness.request(.unlimited)
    onBothThreads(
      {
        for value in 0..<count {
          subjects[0].send(value)
          subjects[3].send(value)
        }
      },
      {
        for value in 0..<count {
          subjects[2].send(value)
          subjects[1].send(value)
        }
      })
    for subject in subjects { subject.send(completion: .finished) }
    #expect(last.withLock { $0 } == Array(repeating: count - 1, count: 4))
    #expect(witness.isFinished)
    #expect(witness.faults == [])
  }

  @Test func `merge of four loses nothing and keeps the order of each`() {
    let count = raceRounds(10_000)
    let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
    let orders = (0..<4).map { _ in Ascending() }
    let witness = Witness<Int> { orders[$0 % 4].check($0) }
    subjects[0].merge(with: subjects[1], subjects[2], subjects[3]).subscribe(witness)
    witness.request(.unlimited)
    onBothThreads(
      { for value in 0..<count { subjects[value % 2].send(value / 2 * 4 + value % 2) } },
      { for value in 0..<count { subjects[2 + value % 2].send(value / 2 * 4 + 2 + value % 2) } })
    for subject in subjects { subject.send(completion: .finished) }
    #expect(witness.count == 2 * count)
    #expect(witness.isFinished)
    #expect(witness.faults == [])
  }
}
