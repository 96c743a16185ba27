import Dispatch
import LegoPublishers
import RaceRounds
import Synchronization
import Testing

/// What joins or buffers, with two threads and 20,000 values.
@Suite struct `With two threads` {
  private static let count = raceRounds(10_000)

  private let left = PassthroughSubject<Int, Never>()
  private let right = PassthroughSubject<Int, Never>()

  private func sendBoth() {
    onBothThreads(
      { for value in 0..<Self.count { left.send(value) } },
      { for value in 0..<Self.count { right.send(value) } })
  }

  private func finishBoth() {
    left.send(completion: .finished)
    right.send(completion: .finished)
  }

  @Test(arguments: Relay.all.filter(\.keepsAll))
  func `an operator that both ask serves them in order`(_ relay: Relay) {
    let order = Ascending()
    let witness = Witness<Int> { order.check($0) }
    relay((0..<2 * Self.count).publisher.setFailureType(to: Failed.self))
      .subscribe(Unfailing(witness))
    onBothThreads(
      { for _ in 0..<Self.count { witness.request(.max(1)) } },
      { for _ in 0..<Self.count { witness.request(.max(1)) } })
    #expect(witness.count == 2 * Self.count)
    #expect(witness.faults == [])
  }

  @Test func `merge loses nothing and keeps the order of each`() {
    let orders = [Ascending(), Ascending()]
    let witness = Witness<(Int, Int)> { orders[$0.0].check($0.1) }
    left.map { (0, $0) }.merge(with: right.map { (1, $0) }).subscribe(witness)
    witness.request(.unlimited)
    sendBoth()
    finishBoth()
    #expect(witness.count == 2 * Self.count)
    #expect(witness.isFinished)
    #expect(witness.faults == [])
  }

  @Test func `combineLatest never goes back to an older value`() {
    let (first, second) = (Ascending(), Ascending())
    let last = Mutex((0, 0))
    let witness = Witness<(Int, Int)> { pair in
      last.withLock { $0 = pair }
      return first.checkRepeating(pair.0) ?? second.checkRepeating(pair.1)
    }
    left.combineLatest(right).subscribe(witness)
    witness.request(.unlimited)
    sendBoth()
    finishBoth()
    #expect(last.withLock { $0 == (Self.count - 1, Self.count - 1) })
    #expect(witness.isFinished)
    #expect(witness.faults == [])
  }

  @Test func `zip pairs what belongs together`() {
    let order = Ascending()
    let witness = Witness<(Int, Int)> { $0.0 == $0.1 ? order.check($0.0) : "not a pair" }
    left.zip(right).subscribe(witness)
    witness.request(.unlimited)
    sendBoth()
    finishBoth()
    #expect(witness.count == Self.count)
    #expect(witness.isFinished)
    #expect(witness.faults == [])
  }

  @Test func `flatMap never stalls while one asks and one sends`() {
    let order = Ascending()
    let witness = Witness<Int> { order.check($0) }
    left.flatMap { Just($0) }.subscribe(witness)
    onBothThreads(
      { for value in 0..<Self.count { left.send(value) } },
      { for _ in 0..<Self.count { witness.request(.max(1)) } })
    left.send(completion: .finished)
    #expect(witness.count == Self.count)
    #expect(witness.isFinished)
    #expect(witness.faults == [])
  }

  @Test func `flatMap never stalls when everything is asked for while a publisher comes`() {
    for round in 0..<raceRounds(2_000) {
      let outer = PassthroughSubject<Int, Never>()
      let witness = Witness<Int>()
      outer.flatMap { [$0, $0 + 1].publisher }.subscribe(witness)
      onBothThreads({ outer.send(round) }, { witness.request(.unlimited) })
      outer.send(completion: .finished)
      #expect(witness.count == 2)
      #expect(witness.isFinished)
    }
  }

  @Test func `switchToLatest sends of the latest alone, in order`() {
    let outer = PassthroughSubject<
      Publishers.Map<PassthroughSubject<Int, Never>, (Int, Int)>, Never
    >()
    let (first, second) = (Ascending(), Ascending())
    let witness = Witness<(Int, Int)> { pair in
      first.checkRepeating(pair.0) ?? second.check(pair.1)
    }
    outer.switchToLatest().subscribe(witness)
    witness.request(.unlimited)
    onBothThreads(
      { for number in 0..<Self.count { outer.send(left.map { (number, $0) }) } },
      { for value in 0..<Self.count { left.send(value) } })
    left.send(Self.count)
    outer.send(completion: .finished)
    left.send(completion: .finished)
    #expect(witness.count > 0)
    #expect(witness.isFinished)
    #expect(witness.faults == [])
  }

  @Test func `a subject still sends after its last subscriber has left during a send`() {
    for round in 0..<raceRounds(20_000) {
      let subject = PassthroughSubject<Int, Never>()
      let token = Mutex<AnyCancellable?>(nil)
      let sink = subject.sink { _ in token.withLock { $0.take() }?.cancel() }
      token.withLock { $0 = sink }
      onBothThreads(
        { for value in 0..<4 { subject.send(value) } },
        { for value in 0..<4 { subject.send(value) } })
      let seen = Collected<Int>()
      let last = subject.sink { seen.append($0) }
      subject.send(round)
      #expect(seen.values == [round])
      last.cancel()
    }
  }

  @Test func `a subscriber that comes while a subject ends gets the end`() {
    for _ in 0..<raceRounds(20_000) {
      let subject = PassthroughSubject<Int, Never>()
      let witness = Witness<Int>()
      onBothThreads(
        { subject.map { $0 + 1 }.subscribe(witness) },
        { subject.send(completion: .finished) })
      #expect(witness.isFinished)
      #expect(witness.faults == [])
    }
  }

  @Test func `share sends all to every subscriber in one order`() {
    let shared = left.share()
    let seen = [Collected<Int>(), Collected<Int>()]
    let witnesses = seen.map { seen in
      Witness<Int> { value in
        seen.append(value)
        return nil
      }
    }
    for witness in witnesses {
      shared.subscribe(witness)
      witness.request(.unlimited)
    }
    onBothThreads(
      { for value in 0..<Self.count { left.send(value) } },
      { for value in 0..<Self.count { left.send(-value) } })
    left.send(completion: .finished)
    #expect(seen[0].values.count == 2 * Self.count)
    #expect(seen[0].values == seen[1].values)
    #expect(witnesses.allSatisfy { $0.isFinished && $0.faults.isEmpty })
  }

  @Test func `a current value subject ends on the value that it keeps`() {
    let subject = CurrentValueSubject<Int, Never>(-1)
    let last = Atomic(0)
    let witness = Witness<Int> { value in
      last.store(value, ordering: .relaxed)
      return nil
    }
    subject.subscribe(witness)
    witness.request(.unlimited)
    onBothThreads(
      { for value in 0..<Self.count { subject.send(value) } },
      { for value in 0..<Self.count { subject.value = Self.count + value } })
    #expect(witness.count == 2 * Self.count + 1)
    #expect(last.load(ordering: .relaxed) == subject.value)
    #expect(witness.faults == [])
  }

  @Test func `a buffer keeps what is sent until it is asked for`() {
    let order = Ascending()
    let witness = Witness<Int> { order.check($0) }
    left.buffer(size: Self.count, prefetch: .byRequest, whenFull: .dropNewest).subscribe(witness)
    onBothThreads(
      { for value in 0..<Self.count { left.send(value) } },
      { for _ in 0..<Self.count { witness.request(.max(1)) } })
    left.send(completion: .finished)
    #expect(witness.count == Self.count)
    #expect(witness.isFinished)
    #expect(witness.faults == [])
  }

  @Test func `a value stands for nothing, whoever asks and whoever ends`() {
    for _ in 0..<raceRounds(1_000) {
      let subject = PassthroughSubject<Int, Never>()
      let witness = Witness<Int> { $0 == 7 ? nil : "another value" }
      subject.replaceEmpty(with: 7).subscribe(witness)
      onBothThreads(
        { subject.send(completion: .finished) },
        {
          witness.request(.max(1))
          witness.request(.max(1))
        })
      #expect(witness.count == 1)
      #expect(witness.isFinished)
      #expect(witness.faults == [])
    }
  }

  @Test func `a queue that runs closures at once keeps the order`() {
    let queue = DispatchQueue(label: "test", attributes: .concurrent)
    let order = Ascending()
    let witness = Witness<Int> { order.check($0) }
    left.receive(on: queue).subscribe(witness)
    onBothThreads(
      { for value in 0..<Self.count { left.send(value) } },
      { for _ in 0..<Self.count { witness.request(.max(1)) } })
    left.send(completion: .finished)
    queue.sync(flags: .barrier) {}
    #expect(witness.faults == [])
    #expect(witness.isFinished)
  }

  @Test func `what is sent before the end is sent before the end by operators that wait`() {
    for _ in 0..<raceRounds(500) {
      let subject = PassthroughSubject<Int, Never>()
      let scheduler = ImmediateScheduler.shared
      let witnesses = (0..<3).map { _ in Witness<Int>() }
      subject.debounce(for: 0.1, scheduler: scheduler).subscribe(witnesses[0])
      subject.throttle(for: 0, scheduler: scheduler, latest: true).subscribe(witnesses[1])
      subject.timeout(1, scheduler: TestClock()).subscribe(witnesses[2])
      for witness in witnesses { witness.request(.unlimited) }
      onBothThreads(
        { for value in 0..<20 { subject.send(value) } },
        { subject.send(completion: .finished) })
      for witness in witnesses {
        #expect(witness.isFinished)
        #expect(witness.faults == [])
      }
    }
  }

  @Test func `an async sequence of the values misses none that a buffer keeps`() async {
    let values = left.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).values
    let isListening = AsyncStream.makeStream(of: Void.self)
    let reader = Task {
      var iterator = values.makeAsyncIterator()
      isListening.continuation.yield()
      var count = 0
      while let value = await iterator.next(), value == count { count += 1 }
      return count
    }
    for await _ in isListening.stream { break }
    for value in 0..<Self.count { left.send(value) }
    left.send(completion: .finished)
    #expect(await reader.value == Self.count)
  }

  @Test(arguments: Relay.all)
  func `no value comes after a cancel has returned`(_ relay: Relay) {
    for _ in 0..<raceRounds(50) {
      let subject = PassthroughSubject<Int, Failed>()
      let probe = Probe<Int, Failed>(demand: .unlimited)
      relay(subject).subscribe(probe)
      onBothThreads(
        { for value in 0..<40 { subject.send(value) } }, { probe.cancel() })
      let count = probe.events.count
      subject.send(1_000)
      subject.send(completion: .finished)
      #expect(probe.events.count == count)
    }
  }
}
