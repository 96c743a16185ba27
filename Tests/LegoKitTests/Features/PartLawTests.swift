import LegoKit
import Testing

extension RandomProgram {
  /// The counter, with adaptors that answer by effects, by publishers and by following.
  fileprivate var feature: Feature<Counter> {
    Feature(
      Counter(),
      adaptors: [
        adaptor(),
        Answers { design, change in
          design.count % 5 == 1 && change != .nothing
            ? Just(.nothing).eraseToAnyPublisher() : .empty
        },
        Follower(),
      ])
  }
}

/// It notes when the count passes a multiple of ten.
private final class Follower: Adaptor<Counter> {
  override var follows: [Follow<Counter>] {
    [Follow(\.tens) { tens in tens == 0 ? .none : .send(.label("\(tens)")) }]
  }
}

extension Counter.Design {
  fileprivate var tens: Int { count / 10 }
}

/// A whole that holds counters in every way.
private struct Box: Blueprint {
  struct Item: Equatable, Sendable, Identifiable {
    let id: Int
    var counter = Counter.Design()
  }

  struct Design: Equatable, Sendable {
    var once = Counter.Design()
    var optional: Counter.Design? = Counter.Design()
    var values = ["a": Counter.Design(), "b": Counter.Design()]
  }

  enum Change: Equatable, Sendable {
    case once(Counter.Change)
    case optional(Counter.Change)
    case value(String, Counter.Change)

    var once: Counter.Change? { if case .once(let change) = self { change } else { nil } }
    var optional: Counter.Change? { if case .optional(let change) = self { change } else { nil } }
    var value: (String, Counter.Change)? {
      if case .value(let key, let change) = self { (key, change) } else { nil }
    }
  }

  func change(_ design: inout Design, on change: Change) {}

  static func feature(_ program: RandomProgram) -> Feature<Box> {
    Feature(Box())
      .part(\.once, .case(Change.once, \.once), program.feature)
      .optional(\.optional, .case(Change.optional, \.optional), program.feature)
      .each(\.values, .case(Change.value, \.value), program.feature)
  }
}

/// What can be seen of a counter in a store.
private struct Sight: Equatable {
  var designs: [Counter.Design] = []
  var changes: [Counter.Change] = []
  var running: Int = 0
}

@Suite struct `A feature that is embedded` {
  private static func see<B: Blueprint>(
    _ lego: Lego<B>, _ path: @escaping @Sendable (B.Design) -> Counter.Design?,
    _ extract: (B.Change) -> Counter.Change?, _ embed: (Counter.Change) -> B.Change, end: B.Change
  ) async -> Sight {
    let designs = Collected<Counter.Design>()
    let token = lego.onDesignChange { path($0).map(designs.append) }
    var iterator = lego.changes.makeAsyncIterator()
    for number in [0, 1, 2, 3, 0] { lego.build(embed(.add(number))) }
    var sight = Sight(designs: designs.values, running: lego.effectCount)
    lego.build(end)
    while let change = await iterator.next(), change != end {
      if let change = extract(change) { sight.changes.append(change) }
    }
    token.cancel()
    return sight
  }

  @Test(arguments: 1...80 as ClosedRange<UInt64>)
  func `behaves as it does alone, in every way of embedding`(seed: UInt64) async {
    let program = RandomProgram(seed: seed, isEndless: true)
    let end = Counter.Change.label("end")
    let alone = await Self.see(
      Lego(.init(), feature: program.feature), { $0 }, { $0 }, { $0 }, end: end)
    func box() -> Lego<Box> { Lego(.init(), feature: Box.feature(program)) }
    let once = await Self.see(box(), \.once, \.once, { .once($0) }, end: .once(end))
    let optional = await Self.see(
      box(), \.optional, \.optional, { .optional($0) }, end: .optional(end))
    let value = await Self.see(
      box(), { $0.values["b"] }, { $0.value?.1 }, { .value("b", $0) }, end: .value("b", end))
    #expect(once == alone)
    #expect(optional == alone)
    #expect(value == alone)
  }
}
