import Dispatch
import LegoPublishers
import Synchronization
import Testing

/// Publishers and tasks.
@Suite struct `A task` {
  @Test func `that waits for a future throws CancellationError when it is cancelled`() async throws
  {
    let promises = Collected<Future<Int, Failed>.Promise>()
    let future = Future<Int, Failed> { promises.append($0) }
    let waiter = Task { try await future.value }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    promises.values[0](.success(1))
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await future.value
    }
    late.cancel()
    #expect(try await late.value == 1)
  }

  @Test func `on the main actor gets values there, in order`() async {
    let subject = PassthroughSubject<Int, Never>()
    let seen = Collected<Int>()
    let ended = AsyncStream.makeStream(of: Void.self)
    let token = subject.sink(
      receiveCompletion: { @MainActor _ in ended.continuation.yield() },
      receiveValue: { @MainActor value in
        MainActor.assertIsolated()
        seen.append(value)
      })
    await Task.detached {
      for value in 0..<100 { subject.send(value) }
    }.value
    await MainActor.run {
      for value in 100..<200 { subject.send(value) }
      #expect(seen.values.count == 200)
    }
    subject.send(completion: .finished)
    for await _ in ended.stream { break }
    #expect(seen.values == Array(0..<200))
    withExtendedLifetime(token) {}
  }

  @MainActor @Test func `on the main actor gets nothing after it has cancelled`() async {
    let subject = PassthroughSubject<Int, Never>()
    let seen = Collected<Int>()
    let token = subject.sink { @MainActor in seen.append($0) }
    subject.send(1)
    #expect(seen.values == [1])
    await Task.detached { subject.send(2) }.value
    token.cancel()
    await Task.yield()
    subject.send(3)
    #expect(seen.values == [1] || seen.values == [1, 2])
    let count = seen.values.count
    await Task.yield()
    #expect(seen.values.count == count)
  }
}

/// Literals and comparisons that Combine has.
@Suite struct `As in Combine` {
  @Test func `spans of time are numbers of seconds`() {
    let queue = DispatchQueue(label: "test")
    let debounced = Just(1).debounce(for: 0.3, scheduler: queue)
    #expect(debounced.dueTime == .milliseconds(300))
    #expect(Just(1).delay(for: 2, scheduler: queue).interval == .seconds(2))
    #expect(SchedulerTime.Stride(floatLiteral: -0.5) == .milliseconds(-500))
    #expect(SchedulerTime.Stride.seconds(-1e300).nanoseconds == .min)
  }

  @Test func `demand is compared with numbers`() {
    let some = Subscribers.Demand.max(2)
    #expect(some > 0 && some >= 2 && some < 3 && some <= 2 && some == 2 && some != 3)
    #expect(1 < some && 2 <= some && 3 > some && 2 >= some && 2 == some && 3 != some)
    let all = Subscribers.Demand.unlimited
    #expect(all > .max && all >= 1 && all != .max)
    #expect(!(all < .max) && !(all <= .max) && !(all == .max))
    #expect(.max < all && .max <= all && .max != all)
    #expect(!(.max > all) && !(.max >= all) && !(.max == all))
    var demand = some
    demand *= 3
    #expect(demand == 6)
  }
}
