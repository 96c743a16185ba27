import Foundation
import Glibc
import RaceRounds
import Synchronization
import Testing

@testable import LegoKit

/// Runs a closure on several new threads at the same time, and waits for them.
private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
  await withCheckedContinuation { continuation in
    let left = Atomic(count)
    let group = Shared(left)
    for number in 0..<count {
      Thread.detachNewThread {
        body(number)
        if group.value.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
          continuation.resume()
        }
      }
    }
  }
}

/// An atomic number that closures share.
private final class Shared: Sendable {
  let value: Atomic<Int>
  init(_ value: consuming Atomic<Int>) { self.value = value }
}

/// Waits until a store is idle.
private func idle(_ lego: Lego<Counter>) async {
  while !lego.isIdle { await Task.yield() }
}

private func spin(_ duration: Duration) {
  let end = ContinuousClock.now + duration
  while ContinuousClock.now < end {}
}

@Suite(.serialized) struct `Threads that build at once` {
  @Test(arguments: [2, 8], [0, 4, 1_024])
  func `have every change told once, in order, to every observer`(
    threads: Int, limit: Int
  ) async {
    let lego = Lego(
      .init(), blueprint: Counter(), adaptors: [Answers { _, _ in .empty }],
      backlog: Backlog(limit: limit, patience: .seconds(60)))
    let rounds = raceRounds(20_000)
    let seen = [Collected<Int>(), Collected<Int>()]
    let tokens = seen.map { seen in
      lego.onDesignChange { design in
        seen.append(design.count)
        // Now and then an observer builds, too.
        if design.count % 97 == 0 { lego.build(.add(1)) }
      }
    }
    await onThreads(threads) { _ in for _ in 0..<rounds / threads { lego.build(.add(1)) } }
    await idle(lego)
    let count = lego.design.count
    #expect(count > rounds)
    for seen in seen { #expect(seen.values == Array(1...count)) }
    withExtendedLifetime(tokens) {}
  }

  @Test(arguments: [2, 8], [.zero, .microseconds(5)] as [Duration])
  func `tell a share of one another's changes each, and no more`(
    threads: Int, work: Duration
  ) async {
    let lego = Lego(.init(), blueprint: Counter())
    // The number of changes that each thread has delivered since it began to build.
    let told = Mutex<[pthread_t: Int]>([:])
    let most = Atomic(0)
    let token = lego.onDesignChange { _ in
      told.withLock { $0[pthread_self(), default: 0] += 1 }
      spin(work)
    }
    await onThreads(threads) { _ in
      for _ in 0..<raceRounds(8_000) / threads {
        told.withLock { $0[pthread_self()] = 0 }
        lego.build(.add(1))
        let own = told.withLock { $0[pthread_self()] ?? 0 }
        most.max(own, ordering: .relaxed)
      }
    }
    await idle(lego)
    // Its own change, and a share.
    #expect(most.load(ordering: .relaxed) <= 257)
    withExtendedLifetime(token) {}
  }

  @Test(arguments: [false, true])
  func `keep the queue within its limit`(isOfFeature: Bool) async {
    let limit = 16
    let threads = 4
    let rounds = raceRounds(1_000)
    let backlog = Backlog(limit: limit, patience: .seconds(60))
    let lego =
      isOfFeature
      ? Lego(.init(), feature: Feature(Counter()), backlog: backlog)
      : Lego(.init(), blueprint: Counter(), backlog: backlog)
    let longest = Atomic(0)
    let token = lego.onDesignChange { _ in
      let count = lego.state.withLock { $0.queue.count }
      longest.max(count, ordering: .relaxed)
      spin(.microseconds(5))
    }
    await onThreads(threads) { _ in for _ in 0..<rounds { lego.build(.add(1)) } }
    await idle(lego)
    #expect(lego.design.count == threads * rounds)
    #expect(longest.load(ordering: .relaxed) <= limit + threads)
    withExtendedLifetime(token) {}
  }

  @Test func `wait no longer than they are patient`() async {
    let lego = Lego(.init(), blueprint: Counter(), backlog: Backlog(limit: 0))
    let (entered, enter) = AsyncStream.makeStream(of: Void.self)
    let isReleased = Atomic(false)
    let token = lego.onDesignChange { design in
      if design.count == 2 {
        enter.yield()
        while !isReleased.load(ordering: .acquiring) { sched_yield() }
      }
    }
    lego.build(.add(1))
    let (returned, finish) = AsyncStream.makeStream(of: Void.self)
    Thread.detachNewThread {
      lego.build(.add(1))
      finish.yield()
    }
    for await _ in entered { break }
    // The observer waits for these.
    for _ in 0..<200 { lego.build(.add(1)) }
    #expect(lego.design.count == 202)
    isReleased.store(true, ordering: .releasing)
    for await _ in returned { break }
    await idle(lego)
    withExtendedLifetime(token) {}
  }
}

@Suite struct `One thread that builds` {
  @Test(.timeLimit(.minutes(5)))
  func `never waits inside an observer, however many changes wait`() {
    let lego = Lego(
      .init(), blueprint: Counter(), backlog: Backlog(limit: 0, patience: .seconds(3_600)))
    let seen = Collected<Int>()
    let token = lego.onDesignChange { design in
      seen.append(design.count)
      if design.count == 1 { for _ in 0..<2_000 { lego.build(.add(1)) } }
    }
    lego.build(.add(1))
    // They are delivered before `build` returns, because no other thread builds.
    #expect(seen.values == Array(1...2_001))
    withExtendedLifetime(token) {}
  }

  @Test func `tells all that its change causes, on its own thread`() {
    let lego = Lego(.init(), blueprint: Counter())
    let thread = pthread_self()
    let others = Atomic(0)
    let token = lego.onDesignChange { design in
      if pthread_self() != thread { others.add(1, ordering: .relaxed) }
      if design.count < 100_000 { lego.build(.add(1)) }
    }
    lego.build(.add(1))
    #expect(lego.design.count == 100_000)
    #expect(others.load(ordering: .relaxed) == 0)
    withExtendedLifetime(token) {}
  }
}
