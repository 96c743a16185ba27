import Dispatch
import LegoPublishers
import RaceRounds
import Testing

@Suite struct `On a test clock` {
  let clock = TestClock()
  let subject = PassthroughSubject<Int, Never>()
  let probe = Probe<Int, Never>(demand: .unlimited)

  @Test func `delay keeps the order`() async {
    subject.delay(for: .seconds(2), scheduler: clock).subscribe(probe)
    subject.send(1)
    await clock.advance(by: .seconds(1))
    subject.send(2)
    subject.send(completion: .finished)
    #expect(probe.events == [])
    await clock.advance(by: .seconds(1))
    #expect(probe.events == ["1"])
    await clock.advance(by: .seconds(1))
    #expect(probe.events == ["1", "2", "finished"])
  }

  @Test func `debounce sends what nothing followed`() async {
    subject.debounce(for: .seconds(1), scheduler: clock).subscribe(probe)
    subject.send(1)
    await clock.advance(by: .milliseconds(500))
    subject.send(2)
    await clock.advance(by: .milliseconds(900))
    #expect(probe.events == [])
    await clock.advance(by: .milliseconds(100))
    #expect(probe.events == ["2"])
  }

  @Test(arguments: [(true, ["1", "3", "4"]), (false, ["1", "2", "4"])])
  func `throttle sends one a span`(latest: Bool, expected: [String]) async {
    subject.throttle(for: .seconds(1), scheduler: clock, latest: latest).subscribe(probe)
    for value in 1...3 { subject.send(value) }
    await clock.advance(by: .seconds(1))
    subject.send(4)
    await clock.advance(by: .seconds(1))
    await clock.advance(by: .seconds(1))
    #expect(probe.events == expected)
  }

  @Test func `timeout ends a silence`() async {
    let subject = PassthroughSubject<Int, Failed>()
    let probe = Probe<Int, Failed>(demand: .unlimited)
    subject.timeout(.seconds(1), scheduler: clock, customError: { Failed() }).subscribe(probe)
    await clock.advance(by: .milliseconds(900))
    subject.send(1)
    await clock.advance(by: .milliseconds(900))
    #expect(probe.events == ["1"])
    await clock.advance(by: .milliseconds(100))
    #expect(probe.events == ["1", "failure"])
  }

  @Test func `delay keeps a failure behind the values`() async {
    let subject = PassthroughSubject<Int, Failed>()
    let probe = Probe<Int, Failed>(demand: .unlimited)
    subject.delay(for: .seconds(1), scheduler: clock).subscribe(probe)
    subject.send(1)
    subject.send(completion: .failure(Failed()))
    #expect(probe.events == [])
    await clock.advance(by: .seconds(1))
    #expect(probe.events == ["1", "failure"])
  }

  @Test func `debounce drops what waits at the end`() async {
    subject.debounce(for: .seconds(1), scheduler: clock).subscribe(probe)
    subject.send(1)
    subject.send(completion: .finished)
    await clock.advance(by: .seconds(2))
    #expect(probe.events == ["finished"])
  }

  @Test func `throttle sends what waits with the end`() async {
    subject.throttle(for: .seconds(1), scheduler: clock, latest: true).subscribe(probe)
    for value in 1...3 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(probe.events == ["1"])
    await clock.advance(by: .seconds(1))
    #expect(probe.events == ["1", "3", "finished"])
  }

  @Test func `throttle begins a new span with what comes after a pause`() async {
    subject.throttle(for: .seconds(1), scheduler: clock, latest: true).subscribe(probe)
    subject.send(1)
    await clock.advance(by: .seconds(5))
    #expect(clock.sleeperCount == 0)
    subject.send(2)
    #expect(probe.events == ["1", "2"])
  }

  @Test func `one closure waits, however many values come`() async {
    let debounced = subject.debounce(for: .seconds(1), scheduler: clock).sink { _ in }
    subject.timeout(.seconds(1), scheduler: clock).subscribe(probe)
    for value in 1...1_000 { subject.send(value) }
    #expect(clock.sleeperCount == 2)
    await clock.advance(by: .milliseconds(600))
    subject.send(0)
    await clock.advance(by: .milliseconds(600))
    #expect(probe.events.count == 1_001)
    #expect(clock.sleeperCount == 2)
    await clock.advance(by: .milliseconds(400))
    #expect(probe.events.last == "finished")
    #expect(clock.sleeperCount == 0)
    withExtendedLifetime(debounced) {}
  }

  @Test(arguments: ["delay", "debounce", "throttle"])
  func `a value that waits is freed with its subscription`(name: String) {
    final class Resource: Sendable {}
    let subject = PassthroughSubject<Resource, Never>()
    let token =
      switch name {
      case "delay": subject.delay(for: .seconds(1), scheduler: clock).sink { _ in }
      case "debounce": subject.debounce(for: .seconds(1), scheduler: clock).sink { _ in }
      default:
        subject.throttle(for: .seconds(1), scheduler: clock, latest: true).sink { _ in }
      }
    subject.send(Resource())
    var resource: Resource? = Resource()
    weak let freed = resource
    if let resource { subject.send(resource) }
    resource = nil
    #expect(freed != nil)
    token.cancel()
    #expect(freed == nil)
    #expect(clock.sleeperCount > 0)
  }

  @Test func `nothing comes of a pause after the end`() async {
    subject.timeout(.seconds(1), scheduler: clock).subscribe(probe)
    subject.send(1)
    subject.send(completion: .finished)
    await clock.advance(by: .seconds(9))
    #expect(probe.events == ["1", "finished"])
  }

  @Test func `sleepers wake in the order of their deadlines`() async {
    let order = Collected<Int>()
    let tasks = [3, 1, 2].map { [clock] seconds in
      Task {
        try await clock.sleep(for: .seconds(seconds))
        order.append(seconds)
      }
    }
    await clock.waitForSleepers(3)
    for _ in 1...3 {
      let before = order.values.count
      await clock.advance(by: .seconds(1))
      while order.values.count == before { await Task.yield() }
    }
    for task in tasks { _ = await task.result }
    #expect(order.values == [1, 2, 3])
  }

  @Test func `a cancelled sleeper throws and is forgotten`() async {
    let task = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    await clock.waitForSleepers()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test(.timeLimit(.minutes(10)))
  func `one who waits for sleepers is let go when cancelled`() async {
    for _ in 0..<raceRounds(500) {
      let task = Task { [clock] in await clock.waitForSleepers() }
      await Task.yield()
      task.cancel()
      await task.value
    }
    let cancelled = Task { [clock] in
      while !Task.isCancelled { await Task.yield() }
      await clock.waitForSleepers()
    }
    cancelled.cancel()
    await cancelled.value
  }

  @Test(.timeLimit(.minutes(1)))
  func `a run without end ends when cancelled`() async {
    let runs = Collected<Int>()
    let start = clock.now.advanced(by: SchedulerTime.Stride.seconds(1))
    let timer = clock.schedule(after: start, interval: .seconds(1)) { runs.append(1) }
    let task = Task { [clock] in await clock.run() }
    while runs.values.isEmpty { await Task.yield() }
    task.cancel()
    await task.value
    timer.cancel()
  }

  @Test func `a repeated action runs until cancelled`() async {
    let runs = Collected<Int>()
    let start = clock.now.advanced(by: SchedulerTime.Stride.seconds(1))
    let timer = clock.schedule(after: start, interval: .seconds(1)) { runs.append(1) }
    await clock.advance(by: .seconds(3))
    timer.cancel()
    await clock.advance(by: .seconds(3))
    #expect(runs.values.count == 3)
  }
}

@Suite struct `A scheduler` {
  @Test func `of dispatch receives in order`() async {
    let queue = DispatchQueue(label: "test")
    var seen: [Int] = []
    for await value in (1...100).publisher.receive(on: queue).values { seen.append(value) }
    #expect(seen == Array(1...100))
  }

  @Test func `on a clock keeps the order of values`() async {
    let scheduler = ClockScheduler(ContinuousClock())
    let seen = Collected<Int>()
    await withCheckedContinuation { continuation in
      let sink = Subscribers.Sink<Int, Never>(
        receiveCompletion: { _ in continuation.resume() }, receiveValue: { seen.append($0) })
      (1...10_000).publisher.receive(on: scheduler).subscribe(sink)
    }
    #expect(seen.values.count == 10_000 && zip(seen.values, 1...).allSatisfy { $0 == $1 })
  }

  @Test func `that is immediate runs at once`() {
    let probe = Probe<Int, Never>(demand: .unlimited)
    [1, 2].publisher.delay(for: .seconds(60), scheduler: ImmediateScheduler.shared)
      .subscribe(probe)
    #expect(probe.events == ["1", "2", "finished"])
  }
}

@Suite struct `A bridge to async sequences` {
  @Test func `takes the values of a publisher`() async throws {
    var seen: [Int] = []
    for await value in [1, 2, 3].publisher.values { seen.append(value) }
    #expect(seen == [1, 2, 3])
    let bad = [1].publisher.setFailureType(to: Failed.self).append(Fail(error: Failed()))
    await #expect(throws: Failed.self) {
      for try await value in bad.values { seen.append(value) }
    }
    #expect(seen == [1, 2, 3, 1])
  }

  @Test func `ends with a cancelled task`() async {
    let subject = PassthroughSubject<Int, Never>()
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let logged = subject.handleEvents(receiveRequest: { _ in start.yield() })
    let task = Task {
      var count = 0
      for await _ in logged.values { count += 1 }
      return count
    }
    for await _ in started { break }
    task.cancel()
    #expect(await task.value == 0)
  }

  @Test func `makes a publisher of an async sequence`() async throws {
    let stream = AsyncStream<Int> { continuation in
      for value in 1...5 { continuation.yield(value) }
      continuation.finish()
    }
    var seen: [Int] = []
    for try await value in stream.publisher.map({ $0 * 2 }).values { seen.append(value) }
    #expect(seen == [2, 4, 6, 8, 10])
  }
}

@Suite struct `The limits of scheduler time` {
  typealias Stride = SchedulerTime.Stride

  @Test func `an overflow stops at the nearest limit`() {
    let early = SchedulerTime(nanoseconds: .min + 1)
    let late = SchedulerTime(nanoseconds: .max - 1)
    #expect(late.advanced(by: Stride.nanoseconds(5)).nanoseconds == .max)
    #expect(early.advanced(by: Stride.nanoseconds(-5)).nanoseconds == .min)
    #expect(early.distance(to: late).nanoseconds == .max)
    #expect(late.distance(to: early).nanoseconds == .min)
    #expect(Stride(nanoseconds: .min).magnitude.nanoseconds == .max)
    #expect(Stride(nanoseconds: -7).magnitude.nanoseconds == 7)
  }
}
