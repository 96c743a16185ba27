import LegoKit

/// A blueprint that counts.
struct Counter: Blueprint {
  struct Design: Equatable, Sendable {
    var count = 0
    var label = ""
  }

  enum Change: Equatable, Sendable {
    case add(Int)
    case label(String)
    case nothing
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .add(let amount): design.count += amount
    case .label(let text): design.label = text
    case .nothing: break
    }
  }
}

/// An adaptor made of a closure.
final class Answers: Adaptor<Counter> {
  typealias Answer =
    (Counter.Design, Counter.Change) -> AnyPublisher<Counter.Change, Never>
  private let answer: Answer

  init(_ answer: @escaping Answer) {
    self.answer = answer
  }

  override func connect(
    _ design: Counter.Design, on change: Counter.Change
  ) -> AnyPublisher<Counter.Change, Never> {
    answer(design, change)
  }
}

typealias Changes = AnyPublisher<Counter.Change, Never>

/// An adaptor made of a closure that answers with effects.
final class Effects: Adaptor<Counter> {
  typealias Answer = (Counter.Design, Counter.Change) -> Effect<Counter.Change>
  private let answer: Answer

  init(_ answer: @escaping Answer) {
    self.answer = answer
  }

  override func effect(
    _ design: Counter.Design, on change: Counter.Change
  ) -> Effect<Counter.Change> {
    answer(design, change)
  }
}

/// A store whose changes `.label(name)` start the effect of that name.
func lego(starting effects: [String: Effect<Counter.Change>]) -> Lego<Counter> {
  let effects = Effects { _, change in
    if case .label(let name) = change { effects[name] ?? .none } else { .none }
  }
  return Lego(.init(), blueprint: Counter(), adaptors: [effects])
}
