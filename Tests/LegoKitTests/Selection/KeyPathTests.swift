import LegoKit
import RaceRounds
import Synchronization
import Testing

/// A blueprint whose design has a part that asks the store.
private struct Nosy: Blueprint {
  struct Design: Equatable, Sendable {
    var count = 0
    /// What the store has: an answer only where the store's lock is free.
    var asked: Int { Nosy.store.withLock { $0 }?.design.count ?? -1 }
  }

  static let store = Mutex<Lego<Nosy>?>(nil)

  func change(_ design: inout Design, on change: Int) { design.count += change }
}

@Suite struct `A part of a design` {
  @Test func `may ask the store, because nothing is read under its lock`() async {
    let lego = Lego(.init(), blueprint: Nosy())
    Nosy.store.withLock { $0 = lego }
    let seen = Collected<Int>()
    let token = lego.observe(\.asked) { seen.append($0) }
    var values = lego.observe(\.asked).makeAsyncIterator()
    #expect(await values.next() == 0)
    lego.build(1)
    lego.build(0)
    lego.build(2)
    #expect(seen.values.last == 3)
    #expect(await values.next() == 3)
    token.cancel()
    Nosy.store.withLock { $0 = nil }
  }

  @Test func `comes to a sequence as its latest value, however its start meets a build`() async {
    for _ in 0..<raceRounds(2_000) {
      let lego = Lego(.init(), blueprint: Counter())
      async let built: Void = { for _ in 0..<3 { lego.build(.add(1)) } }()
      var last = -1
      for await count in lego.observe(\.count) {
        #expect(count > last)
        last = count
        if count == 3 { break }
      }
      await built
    }
  }
}
