import LegoKit

/// An effect as pure data, of which each store makes its own.
indirect enum Plan: Sendable {
  case none
  case send(Int)
  case just(Int)
  case sequence([Int])
  case future(Int)
  /// What a subject sends until it ends.
  case subject(Int)
  /// Sends each number after passing a gate.
  case gates([Int])
  case cancel(Int)
  case merge([Plan])
  case concatenate([Plan])
  case identified(Int, EffectPolicy, Plan)
  case delay(Duration, Plan)
  case debounce(Int, Duration, Plan)
  case throttle(Int, Duration, latest: Bool, Plan)
  case timeout(Duration, Int?, Plan)

  /// A random plan, which sends only numbers above another, so that every program ends.
  init(above number: Int, depth: Int, _ random: inout SeededNumbers) {
    let next = number + Int.random(in: 1...4, using: &random)
    let id = Int.random(in: 0..<3, using: &random)
    func part() -> Plan { Plan(above: number, depth: depth - 1, &random) }
    func pause() -> Duration { .nanoseconds(Int.random(in: 1...1_000_000_000, using: &random)) }
    switch Int.random(in: 0..<(depth > 0 ? 18 : 8), using: &random) {
    case 0: self = .none
    case 1: self = .send(next)
    case 2: self = .just(next)
    case 3: self = .sequence([next, next + 1])
    case 4: self = .future(next)
    case 5: self = .subject(id)
    case 6: self = .gates([next])
    case 7: self = .gates([next, next + 2])
    case 8: self = .cancel(id)
    case 9, 10: self = .merge([part(), part()])
    case 11, 12: self = .concatenate([part(), part()])
    case 13: self = .delay(pause(), part())
    case 14: self = .debounce(id, pause(), part())
    case 15: self = .throttle(id, pause(), latest: Bool.random(using: &random), part())
    case 16: self = .timeout(pause(), Bool.random(using: &random) ? next : nil, part())
    default: self = .identified(id, Self.policy(&random), part())
    }
  }

  /// A random plan that ends by itself, and whose changes nothing answers.
  init(closingAbove number: Int, _ random: inout SeededNumbers) {
    let next = number + Int.random(in: 1...4, using: &random)
    self =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: .none
      case 1: .send(next)
      case 2: .sequence([next, next + 1])
      default: .future(next)
      }
  }

  private static func policy(_ random: inout SeededNumbers) -> EffectPolicy {
    let limit = Int.random(in: 1...2, using: &random)
    return switch Int.random(in: 0..<4, using: &random) {
    case 0: .all
    case 1: .runNewest(limit: limit)
    case 2: .runOldest(.suspend, limit: limit)
    default: .runOldest(.discard, limit: limit)
    }
  }

  /// The effect in a store whose effects wait in a yard, with a change for each number.
  func effect<Change>(
    in yard: Yard, _ make: @escaping @Sendable (Int) -> Change
  ) -> Effect<Change> {
    switch self {
    case .none: return .none
    case .send(let number): return .send(make(number))
    case .just(let number): return .publisher(Just(make(number)))
    case .sequence(let numbers): return .publisher(numbers.map(make).publisher)
    case .future(let number): return .publisher(Future { $0(.success(make(number))) })
    case .subject(let number): return .publisher(yard.subjects[number].map(make))
    case .gates(let numbers):
      let gate = yard.nextGate()
      return .run(name: "gates") { send in
        for number in numbers {
          await yard.pass(gate)
          // It goes on although it may be cancelled: nothing of that may be seen.
          send(make(number))
        }
      }
    case .cancel(let id): return .cancel(id: id)
    case .merge(let plans): return .merge(plans.map { $0.effect(in: yard, make) })
    case .concatenate(let plans): return .concatenate(plans.map { $0.effect(in: yard, make) })
    case .identified(let id, let policy, let plan):
      return plan.effect(in: yard, make).id(id, policy: policy)
    case .delay(let pause, let plan): return plan.effect(in: yard, make).delay(for: yard.own(pause))
    case .debounce(let id, let pause, let plan):
      return plan.effect(in: yard, make).debounce(id: id, for: yard.own(pause))
    case .throttle(let id, let pause, let latest, let plan):
      return plan.effect(in: yard, make).throttle(id: id, for: yard.own(pause), latest: latest)
    case .timeout(let pause, let number, let plan):
      return plan.effect(in: yard, make).timeout(
        after: yard.own(pause), sending: number.map(make))
    }
  }
}
