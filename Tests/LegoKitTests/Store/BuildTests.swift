import Foundation
import Glibc
import LegoKit
import Synchronization
import Testing

@Suite struct `Building` {
  @Test func `has applied its change when it returns`() {
    let lego = Lego(.init(), blueprint: Counter())
    lego.build(.add(2))
    lego.build(.add(3))
    #expect(lego.design.count == 5)
  }

  @Test func `an observer sees each new design once and in order`() {
    let lego = Lego(.init(), blueprint: Counter())
    let seen = Collected<Int>()
    let token = lego.onDesignChange { seen.append($0.count) }
    for _ in 0..<5 { lego.build(.add(1)) }
    #expect(seen.values == [1, 2, 3, 4, 5])
    token.cancel()
    lego.build(.add(1))
    #expect(seen.values.count == 5)
  }

  @Test func `an observer is not told of a change that changed nothing`() {
    let lego = Lego(.init(), blueprint: Counter())
    let seen = Collected<Int>()
    let token = lego.onDesignChange { seen.append($0.count) }
    lego.build(.nothing)
    lego.build(.add(0))
    lego.build(.add(1))
    #expect(seen.values == [1])
    withExtendedLifetime(token) {}
  }

  @Test func `an observer that builds is told its own change after the first`() {
    let lego = Lego(.init(), blueprint: Counter())
    let seen = Collected<Int>()
    let builds = lego.onDesignChange { design in
      if design.count < 4 {
        lego.build(.add(1))
        // Its own change is applied when its build returns.
        #expect(lego.design.count == design.count + 1)
      }
    }
    let watches = lego.onDesignChange { seen.append($0.count) }
    lego.build(.add(1))
    #expect(seen.values == [1, 2, 3, 4])
    withExtendedLifetime((builds, watches)) {}
  }

  @Test func `a million follow-ups need no stack`() {
    let total = 1_000_000
    let answers = Answers { design, _ in
      design.count < total ? Just(.add(1)).eraseToAnyPublisher() : .empty
    }
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [answers])
    lego.build(.add(1))
    #expect(lego.design.count == total)
  }

  @Test func `a slow observer holds up nobody else`() async {
    let lego = Lego(.init(), blueprint: Counter())
    let (entered, enter) = AsyncStream.makeStream(of: Void.self)
    let isReleased = Atomic(false)
    let token = lego.onDesignChange { design in
      if design.count == 1 {
        enter.yield()
        while !isReleased.load(ordering: .acquiring) { sched_yield() }
      }
    }
    // A thread of its own: one of the pool would be missing to whoever releases it.
    let (returned, finish) = AsyncStream.makeStream(of: Void.self)
    Thread.detachNewThread {
      lego.build(.add(1))
      finish.yield()
    }
    for await _ in entered { break }
    // The observer still holds the first change; this one returns with its own applied.
    lego.build(.add(10))
    #expect(lego.design.count == 11)
    isReleased.store(true, ordering: .releasing)
    for await _ in returned { break }
    withExtendedLifetime(token) {}
  }

  @Test func `many threads lose no change and see one order`() async {
    let lego = Lego(.init(), blueprint: Counter())
    let seen = Collected<Int>()
    let token = lego.onDesignChange { seen.append($0.count) }
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<5_000 { lego.build(.add(1)) } }
      }
    }
    #expect(lego.design.count == 20_000)
    // Every task has returned, so the last teller is done too.
    #expect(seen.values == Array(1...20_000))
    withExtendedLifetime(token) {}
  }

  @Test func `a freed token observes no more`() {
    let lego = Lego(.init(), blueprint: Counter())
    let seen = Collected<Int>()
    _ = lego.onDesignChange { seen.append($0.count) }
    lego.build(.add(1))
    #expect(seen.values.isEmpty)
  }

  @Test func `a blueprint that builds on its own store stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let lego = Lego(0, blueprint: Selfish())
      Selfish.store.withLock { $0 = lego }
      lego.build(1)
    }
  }

  @Test func `a blueprint may build on another store`() {
    let other = Lego(0, blueprint: Forwarding(next: nil))
    let lego = Lego(0, blueprint: Forwarding(next: other))
    lego.build(3)
    #expect(lego.design == 3)
    #expect(other.design == 3)
  }
}

/// A blueprint that breaks the rule: it builds on the store that it belongs to.
private struct Selfish: Blueprint {
  static let store = Mutex<Lego<Selfish>?>(nil)

  func change(_ design: inout Int, on change: Int) {
    design += change
    Selfish.store.withLock { $0 }?.build(change)
  }
}

/// A blueprint that builds on a store other than its own.
private struct Forwarding: Blueprint {
  let next: Lego<Forwarding>?

  func change(_ design: inout Int, on change: Int) {
    design += change
    next?.build(change)
  }
}
