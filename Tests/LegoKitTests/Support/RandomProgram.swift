import LegoKit

/// A program: each number of it answers a change with an effect, to a limited depth.
struct RandomProgram: Sendable {
  let effects: [Int: Effect<Counter.Change>]

  /// Creates a program.
  ///
  /// - Parameters:
  ///   - seed: What makes it this program and no other.
  ///   - isEndless: Whether it may have effects that run until they are cancelled, or that wait for
  ///     an effect which they are a part of.
  init(seed: UInt64, isEndless: Bool = false) {
    var random = SeededNumbers(state: seed)
    var effects: [Int: Effect<Counter.Change>] = [:]
    // An effect sends only higher numbers, so that every program ends.
    for number in 0..<12 {
      effects[number] = Self.effect(above: number, within: [], depth: 3, isEndless, &random)
    }
    self.effects = effects
  }

  private static func effect(
    above number: Int, within ids: Set<Int>, depth: Int, _ isEndless: Bool,
    _ random: inout SeededNumbers
  ) -> Effect<Counter.Change> {
    let next = Counter.Change.add(number + Int.random(in: 1...4, using: &random))
    func inner(_ id: Int? = nil) -> Effect<Counter.Change> {
      let ids = id.map { ids.union([$0]) } ?? ids
      return effect(above: number, within: ids, depth: depth - 1, isEndless, &random)
    }
    switch Int.random(in: 0..<(depth == 0 ? 4 : isEndless ? 10 : 9), using: &random) {
    case 0: return .none
    case 1: return .send(next)
    case 2: return .publisher([next, next].publisher)
    case 3: return .publisher(Future { $0(.success(next)) })
    case 4: return .cancel(id: number % 3)
    case 5, 6: return .merge((0..<2).map { _ in inner() })
    case 7: return .concatenate((0..<2).map { _ in inner() })
    case 8:
      let id = Int.random(in: 0..<3, using: &random)
      var policies: [EffectPolicy] = [.runNewest(), .runOldest(.discard), .all]
      if isEndless || !ids.contains(id) { policies.append(.runOldest(.suspend)) }
      return inner(id).id(id, policy: policies[Int.random(in: policies.indices, using: &random)])
    default:
      return .merge(
        .publisher(PassthroughSubject<Counter.Change, Never>()).id(number % 3), .send(next))
    }
  }

  /// The adaptor that runs it.
  func adaptor() -> Effects {
    Effects { [effects] _, change in
      if case .add(let number) = change { effects[number] ?? .none } else { .none }
    }
  }
}
