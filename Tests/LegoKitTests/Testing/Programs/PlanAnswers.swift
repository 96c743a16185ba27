import LegoKit

/// Answers changes as a program says.
final class PlanAnswers<B: Blueprint>: Adaptor<B> {
  private let plans: LedgerProgram.Plans
  private let yard: Yard
  private let level: any KeyPath<B.Design, Int> & Sendable
  private let number: (B.Change) -> Int?
  private let make: @Sendable (Int) -> B.Change

  /// Creates an adaptor.
  ///
  /// - Parameters:
  ///   - plans: What each number is answered with.
  ///   - yard: Where the effects wait.
  ///   - level: The part of the design that effects follow from.
  ///   - number: The number of a change that is to be answered.
  ///   - make: The change of a number.
  init(
    _ plans: LedgerProgram.Plans, _ yard: Yard, _ level: any KeyPath<B.Design, Int> & Sendable,
    number: @escaping (B.Change) -> Int?, make: @escaping @Sendable (Int) -> B.Change
  ) {
    self.plans = plans
    self.yard = yard
    self.level = level
    self.number = number
    self.make = make
  }

  override func connect(
    _ design: B.Design, on change: B.Change
  ) -> AnyPublisher<B.Change, Never> {
    guard let number = number(change), plans.publishers.indices.contains(number) else {
      return .empty
    }
    return switch plans.publishers[number] {
    case .just(let number): Just(make(number)).eraseToAnyPublisher()
    case .future(let number): Future { [make] in $0(.success(make(number))) }.eraseToAnyPublisher()
    case .subject(let number): yard.subjects[number].map(make).eraseToAnyPublisher()
    default: .empty
    }
  }

  override func effect(_ design: B.Design, on change: B.Change) -> Effect<B.Change> {
    guard let number = number(change), plans.answers.indices.contains(number) else { return .none }
    return plans.answers[number].effect(in: yard, make)
  }

  override func closing(_ design: B.Design) -> Effect<B.Change> {
    let gate = yard.nextClosingGate()
    return .concatenate(
      .run(name: "closing") { [yard] _ in await yard.pass(gate) },
      plans.closing.effect(in: yard, make))
  }

  override var follows: [Follow<B>] {
    [
      Follow(level) { [plans, yard, make] level in
        plans.follows.indices.contains(level) ? plans.follows[level].effect(in: yard, make) : .none
      }
    ]
  }
}
