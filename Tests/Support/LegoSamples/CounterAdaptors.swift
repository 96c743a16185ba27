package import LegoKit

/// An adaptor that answers changes with publishers from a closure.
package final class Answers: Adaptor<Counter> {
  package typealias Answer =
    (Counter.Design, Counter.Change) -> AnyPublisher<Counter.Change, Never>
  private let answer: Answer

  package init(_ answer: @escaping Answer) {
    self.answer = answer
  }

  package override func connect(
    _ design: Counter.Design, on change: Counter.Change
  ) -> AnyPublisher<Counter.Change, Never> {
    answer(design, change)
  }
}

package typealias Changes = AnyPublisher<Counter.Change, Never>

/// An adaptor that answers changes with effects from a closure.
package final class Effects: Adaptor<Counter> {
  package typealias Answer = (Counter.Design, Counter.Change) -> Effect<Counter.Change>
  private let answer: Answer

  package init(_ answer: @escaping Answer) {
    self.answer = answer
  }

  package override func effect(
    _ design: Counter.Design, on change: Counter.Change
  ) -> Effect<Counter.Change> {
    answer(design, change)
  }
}

/// Creates a store in which the change `.label(name)` starts the effect with that name.
package func lego(starting effects: [String: Effect<Counter.Change>]) -> Lego<Counter> {
  let effects = Effects { _, change in
    if case .label(let name) = change { effects[name] ?? .none } else { .none }
  }
  return Lego(.init(), blueprint: Counter(), adaptors: [effects])
}
