import LegoPublishers
import RaceRounds
import Synchronization
import Testing

@Suite struct `A future` {
  @Test func `runs its closure once, at once`() {
    let runs = Collected<Int>()
    let future = Future<Int, Never> { promise in
      runs.append(1)
      promise(.success(7))
    }
    let seen = Collected<Int>()
    let first = future.sink { seen.append($0) }
    let second = future.map { $0 * 2 }.sink { seen.append($0) }
    #expect(runs.values == [1])
    #expect(seen.values == [7, 14])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `ignores a second result`() {
    let seen = Collected<Int>()
    let future = Future<Int, Never> { promise in
      promise(.success(1))
      promise(.success(2))
    }
    let token = future.sink { seen.append($0) }
    #expect(seen.values == [1])
    withExtendedLifetime(token) {}
  }

  @Test func `finishes without a value when its promise is dropped`() {
    let seen = Collected<Int>()
    let ends = Collected<Subscribers.Completion<Never>>()
    let future = Future<Int, Never> { _ in }
    let token = future.sink(
      receiveCompletion: { ends.append($0) }, receiveValue: { seen.append($0) })
    #expect(seen.values.isEmpty)
    #expect(ends.values == [.finished])
    withExtendedLifetime(token) {}
  }

  @Test func `gives its value to one that awaits it`() async {
    let future = Future<Int, Never> { promise in Task { promise(.success(3)) } }
    #expect(await future.value == 3)
    #expect(await future.value == 3)
  }

  @Test func `throws its failure at one that awaits it`() async {
    let future = Future<Int, Failed> { $0(.failure(Failed())) }
    await #expect(throws: Failed.self) { try await future.value }
  }

  @Test func `throws at one that awaits a dropped promise`() async {
    await #expect(throws: NoResultError.self) {
      try await Future<Int, Failed> { _ in }.value
    }
  }

  @Test func `sends nothing after a cancel`() {
    let promises = Collected<Future<Int, Never>.Promise>()
    let seen = Collected<Int>()
    let future = Future<Int, Never> { promises.append($0) }
    let cancelled = [future.sink { seen.append($0) }, future.map { $0 }.sink { seen.append($0) }]
    let kept = future.sink { seen.append($0 * 10) }
    for token in cancelled {
      token.cancel()
      token.cancel()
    }
    promises.values[0](.success(1))
    #expect(seen.values == [10])
    withExtendedLifetime(kept) {}
  }

  @Test func `tells nobody whom another receiver has cancelled`() {
    let promises = Collected<Future<Int, Never>.Promise>()
    let seen = Collected<String>()
    let future = Future<Int, Never> { promises.append($0) }
    let tokens = Collected<AnyCancellable>()
    let first = future.sink { _ in
      seen.append("first")
      for token in tokens.values { token.cancel() }
    }
    tokens.append(future.sink { _ in seen.append("second") })
    tokens.append(
      future.sink(
        receiveCompletion: { _ in seen.append("end") }, receiveValue: { _ in seen.append("third") })
    )
    let last = future.sink { _ in seen.append("last") }
    promises.values[0](.success(1))
    #expect(seen.values == ["first", "last"])
    withExtendedLifetime((first, last)) {}
  }

  @Test func `tells no end to one that cancels while it receives`() {
    let promises = Collected<Future<Int, Never>.Promise>()
    let seen = Collected<String>()
    let tokens = Collected<AnyCancellable>()
    tokens.append(
      Future<Int, Never> { promises.append($0) }.sink(
        receiveCompletion: { _ in seen.append("end") },
        receiveValue: { _ in
          seen.append("value")
          tokens.values[0].cancel()
        }))
    promises.values[0](.success(1))
    #expect(seen.values == ["value"])
  }

  @Test func `waits for demand`() {
    let probe = Probe<Int, Never>(demand: .none)
    Future<Int, Never> { $0(.success(1)) }.subscribe(probe)
    #expect(probe.events == [])
    probe.request(.max(1))
    #expect(probe.events == ["1", "finished"])
  }

  @Test func `is resolved exactly once by many threads`() async {
    for _ in 0..<raceRounds(8_400) {
      let promises = Collected<Future<Int, Never>.Promise>()
      let seen = Collected<Int>()
      let future = Future<Int, Never> { promises.append($0) }
      let promise = promises.values[0]
      let tokens = await withTaskGroup(of: AnyCancellable?.self) { group in
        for number in 0..<4 {
          group.addTask {
            promise(.success(number))
            return nil
          }
          group.addTask { future.sink { seen.append($0) } }
          group.addTask {
            future.map { $0 }.sink { _ in }.cancel()
            return nil
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(seen.values.count == 4)
      #expect(Set(seen.values).count == 1)
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func `frees its subscriber and value at the end`() {
    final class Resource: Sendable {}
    var resource: Resource? = Resource()
    weak let freed = resource
    let promises = Collected<Future<Int, Never>.Promise>()
    let future = Future<Int, Never> { promises.append($0) }
    let token = future.sink { [resource] _ in withExtendedLifetime(resource) {} }
    resource = nil
    #expect(freed != nil)
    promises.values[0](.success(1))
    #expect(freed == nil)
    withExtendedLifetime(token) {}
  }
}
