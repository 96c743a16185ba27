import LegoKit
import LegoTesting
import Synchronization
import Testing

/// A random program: moves, changes of pages and what the radio sends.
private struct PageProgram {
  enum Step {
    case build(Page.Change)
    case radio(Int)
  }

  let steps: [Step]

  init(seed: UInt64) {
    var random = SeededNumbers(state: seed)
    var visits = 0
    // A screen that takes the place of one with its id is the same screen, so that only pages which
    // are opened above others have ids that come again.
    func page(isNew: Bool = false) -> Page.Design {
      visits += 1
      return Page.Design(
        id: isNew ? 100 + visits : Int.random(in: 1...4, using: &random), visit: visits,
        mood: Int.random(in: 0...3, using: &random) == 0 ? 1 : 0)
    }
    func change(_ depth: Int) -> Page.Change {
      let id = Int.random(in: 1...4, using: &random)
      switch Int.random(in: 0..<(depth == 0 ? 16 : 24), using: &random) {
      case 0, 1: return .listen
      case 2: return .mood(Int.random(in: 0...1, using: &random))
      case 3: return .done
      case 4, 5: return .open(page())
      case 6: return .over(page())
      case 7: return .leave
      case 8: return .path(.move(.push(page())))
      case 9: return .path(.move(.pop))
      case 10: return .path(.move(.popTo(id)))
      case 11: return .path(.move(.close(id)))
      case 12: return .path(.move(.replace(page(isNew: true))))
      case 13: return .path(.move(.set([page(isNew: true), page(isNew: true)])))
      case 14: return .modals(.move(id == 1 ? .dismissAll : .present(page())))
      case 15: return .modals(.move(id < 3 ? .dismiss : .close(id)))
      case 16..<21: return .path(.screen(id, change(depth - 1)))
      default: return .modals(.screen(id, change(depth - 1)))
      }
    }
    steps = (0..<60).map { number in
      Int.random(in: 0..<4, using: &random) == 0 ? .radio(number) : .build(change(3))
    }
  }
}

/// What can be seen of a run.
private struct Sight: Equatable {
  var numbers: [UInt64] = []
  var effects: [Int] = []
  var designs: [Page.Design] = []
  var changes: [Page.Change] = []
}

@Suite struct `A random program of moves` {
  private static let seeds = 1...40 as ClosedRange<UInt64>

  private static func run(seed: UInt64) async -> (Sight, [String]) {
    let radio = PassthroughSubject<Int, Never>()
    let lines = Collected<String>()
    let lego = Lego(Page.Design(id: 0), feature: Page.feature(radio))
    let designs = Collected<Page.Design>()
    let tokens = [
      lego.onDesignChange { designs.append($0) }, lego.record(to: LogSink { lines.append($0) }),
    ]
    var changes = lego.changes.makeAsyncIterator()
    var sight = Sight()
    for step in PageProgram(seed: seed).steps {
      switch step {
      case .build(let change): sight.numbers.append(lego.build(change).number)
      case .radio(let value): radio.send(value)
      }
      sight.effects.append(lego.effectCount)
      #expect(!lego.design.hasMistake)
    }
    for _ in lines.values { if let change = await changes.next() { sight.changes.append(change) } }
    sight.designs = designs.values
    lego.build(.path(.move(.popToRoot)))
    lego.build(.modals(.move(.dismissAll)))
    lego.build(.mood(0))
    lego.cancel(id: "ear")
    #expect(lego.effectCount == 0)
    withExtendedLifetime(tokens) {}
    return (sight, Array(lines.values.prefix(sight.changes.count)))
  }

  private static func test(seed: UInt64) async -> Sight {
    let radio = PassthroughSubject<Int, Never>()
    let feature = Page.feature(radio)
    let lego = TestLego(Page.Design(id: 0), feature: feature)
    var sight = Sight()
    func note(_ change: Page.Change) {
      if sight.designs.last ?? Page.Design(id: 0) != lego.design {
        sight.designs.append(lego.design)
      }
      sight.changes.append(change)
    }
    for step in PageProgram(seed: seed).steps {
      switch step {
      case .build(let change):
        let build = lego.build(change) { feature.blueprint.change(&$0, on: change) }
        sight.numbers.append(build.number)
        if build.number > 0 { note(change) }
      case .radio(let value): radio.send(value)
      }
      for change in lego.unreceived {
        await lego.receive(change) { feature.blueprint.change(&$0, on: change) }
        note(change)
      }
      sight.effects.append(lego.effectCount)
    }
    radio.send(completion: .finished)
    await lego.finish()
    return sight
  }

  @Test(arguments: seeds)
  func `does the same in a store, in a store under test and in a replay`(
    seed: UInt64
  ) async throws {
    try await withContractors {
      $0.problemSink = .nowhere
    } operation: {
      let (seen, lines) = await Self.run(seed: seed)
      #expect(await Self.test(seed: seed) == seen)

      let blueprint = Page.feature(PassthroughSubject()).blueprint
      var replay = try Replay(Page.Design(id: 0), blueprint: blueprint, lines: lines)
      #expect(replay.changes == seen.changes)
      var designs: [Page.Design] = []
      while replay.step() != nil {
        if replay.design != designs.last ?? Page.Design(id: 0) { designs.append(replay.design) }
      }
      #expect(designs == seen.designs)
      replay.go(to: 0)
      #expect(replay.design == Page.Design(id: 0))
    }
  }

  @Test func `happens, and is not a row of moves that cannot be made`() async {
    await withContractors {
      $0.problemSink = .nowhere
    } operation: {
      var (applied, effects, deep) = (0, 0, 0)
      for seed in Self.seeds {
        let (seen, _) = await Self.run(seed: seed)
        applied += seen.changes.count
        effects += seen.effects.max() ?? 0
        deep += seen.designs.filter { $0.path.contains { !$0.path.isEmpty } }.count
      }
      #expect(applied > 1_000)
      #expect(effects > 40)
      #expect(deep > 20)
    }
  }
}
