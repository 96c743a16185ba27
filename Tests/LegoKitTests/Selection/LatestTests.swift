import LegoKit
import RaceRounds
import Synchronization
import Testing

@Suite struct `An observer of the latest design` {
  private let seen = Collected<Int>()

  @Test func `skips what was built while it was told`() {
    let lego = Lego(.init(), blueprint: Counter())
    let token = lego.onLatestDesign { [seen, weak lego] design in
      seen.append(design.count)
      if design.count == 1 { for _ in 0..<100 { lego?.build(.add(1)) } }
    }
    lego.build(.add(1))
    #expect(seen.values == [1, 101])
    lego.build(.add(1))
    #expect(seen.values == [1, 101, 102])
    withExtendedLifetime(token) {}
  }

  @Test func `is told nothing twice, and what differs from what it was told`() {
    let lego = Lego(.init(), blueprint: Counter())
    let token = lego.onLatestDesign { [seen, weak lego] design in
      seen.append(design.count)
      switch design.count {
      case 1:
        // What comes last is what it was told.
        lego?.build(.add(1))
        lego?.build(.add(-1))
      case 5:
        // What comes last differs from it, though not from what came before.
        lego?.build(.add(1))
        lego?.build(.add(0))
      default: break
      }
    }
    lego.build(.add(0))
    #expect(seen.values == [])
    lego.build(.add(1))
    #expect(seen.values == [1])
    lego.build(.add(4))
    #expect(seen.values == [1, 5, 6])
    token.cancel()
    lego.build(.add(1))
    #expect(seen.values == [1, 5, 6])
  }

  @Test(.timeLimit(.minutes(5))) func `is told one now and then of designs that never stop`() {
    let lego = Lego(.init(), blueprint: Counter())
    let calls = Atomic(0)
    // A newer design is there whenever one is told.
    let builder = lego.onDesignChange { [weak lego] _ in
      if calls.load(ordering: .relaxed) < 3 { lego?.build(.add(1)) }
    }
    let token = lego.onLatestDesign { _ in calls.add(1, ordering: .relaxed) }
    lego.build(.add(1))
    // The last design is one of them.
    #expect((3...4).contains(calls.load(ordering: .relaxed)))
    withExtendedLifetime((builder, token)) {}
  }

  @Test func `ends on the last design, however many build at once`() async {
    for _ in 0..<raceRounds(200) {
      let lego = Lego(.init(), blueprint: Counter(), backlog: .unlimited)
      let last = Atomic(0)
      let calls = Atomic(0)
      let token = lego.onLatestDesign { design in
        last.store(design.count, ordering: .relaxed)
        calls.add(1, ordering: .relaxed)
      }
      await withTaskGroup { group in
        for _ in 0..<2 {
          group.addTask { for _ in 0..<50 { lego.build(.add(1)) } }
        }
      }
      while !lego.isIdle { await Task.yield() }
      #expect(last.load(ordering: .relaxed) == 100)
      #expect(calls.load(ordering: .relaxed) <= 100)
      withExtendedLifetime(token) {}
    }
  }
}
