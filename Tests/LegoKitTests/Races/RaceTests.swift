import RaceRounds
import Synchronization
import Testing

@testable import LegoKit

@Suite(.serialized) struct `Under races` {
  static let builds = raceRounds(100_000)

  @Test func `no change is lost and the order seen is the order applied`() async {
    let lego = Lego(.init(), blueprint: Counter())
    let designs = Mutex((last: 0, isOrdered: true))
    let token = lego.onDesignChange { design in
      designs.withLock { designs in
        if design.count != designs.last + 1 { designs.isOrdered = false }
        designs.last = design.count
      }
    }
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<Self.builds { lego.build(.add(1)) } }
      }
    }
    #expect(lego.design.count == 4 * Self.builds)
    #expect(designs.withLock { $0.isOrdered })
    #expect(designs.withLock { $0.last } == 4 * Self.builds)
    withExtendedLifetime(token) {}
  }

  @Test func `every build reads its own write`() async {
    let lego = Lego(.init(), blueprint: Counter())
    let token = lego.onDesignChange { _ in }
    let lost = Collected<Int>()
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          var least = 0
          for _ in 0..<Self.builds {
            lego.build(.add(1))
            least += 1
            if lego.design.count < least { lost.append(least) }
          }
        }
      }
    }
    #expect(lost.values.isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test func `observers come and go`() async {
    let lego = Lego(.init(), blueprint: Counter())
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask { for _ in 0..<Self.builds { lego.build(.add(1)) } }
        group.addTask {
          for _ in 0..<Self.builds / 20 {
            let last = Atomic(0)
            let token = lego.onDesignChange { design in
              let before = last.exchange(design.count, ordering: .relaxed)
              #expect(before == 0 || design.count == before + 1)
            }
            lego.build(.add(1))
            token.cancel()
          }
        }
      }
    }
    #expect(lego.state.withLock { $0.observers.isEmpty })
  }

  @Test(.timeLimit(.minutes(5)))
  func `effects start and are cancelled, and nothing is left`() async {
    let effects = Effects { _, change in
      switch change {
      case .add(let number): .run { send in send(.label("\(number)")) }.id(number % 7)
      case .label(let text): (Int(text) ?? 0) % 3 == 0 ? .cancel(id: (Int(text) ?? 0) % 7) : .none
      case .nothing: .none
      }
    }
    var lego: Lego<Counter>? = Lego(.init(), blueprint: Counter(), adaptors: [effects])
    weak let freed = lego
    await withTaskGroup { [lego] group in
      for task in 0..<4 {
        group.addTask {
          for number in 0..<Self.builds / 4 {
            let build = lego?.build(.add(number))
            if number % 5 == task { build?.cancel() }
            if number % 50 == 0 { await build?.finished() }
          }
        }
      }
    }
    // The registry forgets an effect a moment after its end.
    while lego?.isIdle == false { await Task.yield() }
    #expect(lego?.effectCount == 0)
    lego = nil
    // A task that has just ended may hold the store for a moment.
    while freed != nil { await Task.yield() }
  }

  @Test func `a cancelled effect applies nothing more`() async {
    // Each effect sends 20 changes, as long as it is let.
    for _ in 0..<raceRounds(Self.builds / 20) {
      let effects = Effects { _, change in
        change == .nothing
          ? .run { send in for _ in 0..<20 { send(.add(1)) } }.id("work") : .none
      }
      let lego = Lego(.init(), blueprint: Counter(), adaptors: [effects])
      lego.build(.nothing)
      await Task.yield()
      lego.cancel(id: "work")
      let count = lego.design.count
      for _ in 0..<3 { await Task.yield() }
      #expect(lego.design.count == count)
    }
  }
}

@Suite struct `Following under races` {
  @Test func `ends with the effect of the last value`() async {
    let builds = 1_000
    for _ in 0..<raceRounds(100) {
      let lego = Lego(.init(), blueprint: Counter())
      let started = Collected<Int>()
      let tokens = await withTaskGroup(of: AnyCancellable?.self) { group in
        group.addTask {
          for _ in 0..<builds { lego.build(.add(1)) }
          return nil
        }
        group.addTask {
          lego.follow(\.count) { count in
            started.append(count)
            return .run { _ in await Gate().pass() }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      // A task of the store may still deliver the last changes.
      while !lego.isSettled { await Task.yield() }
      #expect(started.values == started.values.sorted())
      #expect(started.values.last == builds)
      #expect(lego.effectCount == 1)
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func `is over when its token was cancelled, whichever thread is about to start it`() async {
    var late = 0
    var running = 0
    let silence = PassthroughSubject<Counter.Change, Never>()
    for _ in 0..<raceRounds(1_000) {
      let lego = Lego(.init(), blueprint: Counter())
      let token = lego.follow(\.count) { count in
        .merge(.send(.label("\(count)")), .publisher(silence))
      }
      let label = await withTaskGroup(of: String?.self) { group in
        group.addTask {
          for _ in 0..<20 { lego.build(.add(1)) }
          return nil
        }
        group.addTask {
          token.cancel()
          return lego.design.label
        }
        return await group.reduce(into: String?.none) { $0 = $0 ?? $1 }
      }
      if lego.design.label != label { late += 1 }
      if lego.effectCount != 0 { running += 1 }
    }
    #expect(late == 0)
    #expect(running == 0)
  }
}
