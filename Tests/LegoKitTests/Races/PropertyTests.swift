import LegoKit
import LegoTesting
import RaceRounds
import Testing

@Suite struct `Random programs` {
  @Test(arguments: 0..<UInt64(raceRounds(100)))
  func `with tasks make the recorded designs in replay`(seed: UInt64) async {
    let program = RandomProgram(seed: seed)
    let effects = Effects { [effects = program.effects] _, change in
      guard case .add(let number) = change, let effect = effects[number] else { return .none }
      // A task in front of each effect leaves the order to chance.
      return number % 2 == 0 ? .concatenate(.run { _ in await Task.yield() }, effect) : effect
    }
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [effects])
    let designs = Collected<Counter.Design>()
    let token = lego.onDesignChange { designs.append($0) }
    var iterator = lego.changes.makeAsyncIterator()
    await withTaskGroup { group in
      for start in 0..<3 {
        group.addTask {
          let build = lego.build(.add(start))
          if seed % 5 == UInt64(start) { build.cancel() }
          await build.finished()
        }
      }
    }
    #expect(lego.effectCount == 0)
    let end = Counter.Change.label("end")
    lego.build(end)
    var changes: [Counter.Change] = []
    while let change = await iterator.next() {
      changes.append(change)
      if change == end { break }
    }
    var replay = Replay(.init(), blueprint: Counter(), changes: changes)
    var replayed: [Counter.Design] = []
    while replay.step() != nil {
      if replay.design != replayed.last ?? .init() { replayed.append(replay.design) }
    }
    #expect(replayed == designs.values)
    #expect(replay.design == lego.design)
    token.cancel()
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `make the same designs in a store, under test and in replay`(seed: UInt64) async {
    let program = RandomProgram(seed: seed)
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [program.adaptor()])
    let changes = Collected<Counter.Change>()
    let designs = Collected<Counter.Design>()
    let recorder = Lego(.init(), blueprint: Counter(), adaptors: [program.adaptor()])
    var iterator = recorder.changes.makeAsyncIterator()
    // An observer that builds, in one of the two stores that must agree.
    let token = lego.onDesignChange { design in
      designs.append(design)
      if design.count == 9, design.label.isEmpty { lego.build(.label("nine")) }
    }
    let other = recorder.onDesignChange { design in
      if design.count == 9, design.label.isEmpty { recorder.build(.label("nine")) }
    }
    for start in 0..<3 {
      lego.build(.add(start))
      recorder.build(.add(start))
    }
    #expect(lego.design == recorder.design)
    #expect(lego.effectCount == 0)

    let end = Counter.Change.label("end")
    recorder.build(end)
    lego.build(end)
    while let change = await iterator.next() {
      changes.append(change)
      if change == end { break }
    }
    var replay = Replay(.init(), blueprint: Counter(), changes: changes.values)
    #expect(replay.finish() == lego.design)

    withExtendedLifetime((token, other)) {}
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `make the same designs, one after another, in a store and under test`(seed: UInt64) async {
    let program = RandomProgram(seed: seed)
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [program.adaptor()])
    let designs = Collected<Counter.Design>()
    let token = lego.onDesignChange { designs.append($0) }
    let test = TestLego(
      .init(), blueprint: Counter(), adaptors: [program.adaptor()], exhaustivity: .none)
    var tested = [test.design]
    for start in 0..<3 {
      lego.build(.add(start))
      test.build(.add(start))
      tested.append(test.design)
      while !test.unreceived.isEmpty {
        await test.receive(where: { _ in true })
        tested.append(test.design)
      }
    }
    let steps = zip(tested, tested.dropFirst()).filter { $0 != $1 }.map(\.1)
    #expect(steps == designs.values)
    withExtendedLifetime(token) {}
  }
}
