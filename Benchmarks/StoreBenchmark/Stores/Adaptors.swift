import LegoKit

/// Answers `.ask` with a publisher or an effect.
final class Answering: Adaptor<Count> {
  private let publisher: () -> AnyPublisher<Count.Change, Never>
  private let answer: () -> Effect<Count.Change>

  init(publisher: @escaping () -> AnyPublisher<Count.Change, Never>) {
    self.publisher = publisher
    answer = { .none }
  }

  init(effect: @escaping () -> Effect<Count.Change>) {
    publisher = { .empty }
    answer = effect
  }

  override func connect(_ design: Count.Design, on change: Count.Change)
    -> AnyPublisher<Count.Change, Never>
  {
    change == .ask ? publisher() : .empty
  }

  override func effect(_ design: Count.Design, on change: Count.Change) -> Effect<Count.Change> {
    change == .ask ? answer() : .none
  }
}

/// Answers `.add(n)` with `.add(n - 1)`, down to zero.
final class Counting: Adaptor<Count> {
  private let answer: (Count.Change) -> Effect<Count.Change>

  init(_ answer: @escaping (Count.Change) -> Effect<Count.Change>) {
    self.answer = answer
  }

  override func effect(_ design: Count.Design, on change: Count.Change) -> Effect<Count.Change> {
    if case .add(let number) = change, number > 0 { answer(.add(number - 1)) } else { .none }
  }
}

/// Answers `.ask` with an async effect, and `.add` with an endless effect that has its own ID.
final class Crowded: Adaptor<Count> {
  private let silence = PassthroughSubject<Count.Change, Never>()

  override func effect(_ design: Count.Design, on change: Count.Change) -> Effect<Count.Change> {
    switch change {
    case .ask: .run { _ in }.id("ask", policy: .runNewest())
    case .add(let number): .publisher(silence).id(number)
    }
  }
}
