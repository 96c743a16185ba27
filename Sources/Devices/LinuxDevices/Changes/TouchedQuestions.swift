/// The questions whose answers may have changed since the last scan.
public enum TouchedQuestions: Hashable, Sendable {
  /// All questions, for example because events were lost.
  case all
  /// The questions with the given numbers.
  case some(QuestionNumbers)

  /// No questions.
  public static let none = Self.some([])

  /// Adds other questions.
  public mutating func formUnion(_ other: Self) {
    guard case .some(var numbers) = self, case .some(let others) = other else {
      self = .all
      return
    }
    self = .none
    numbers.formUnion(others)
    self = .some(numbers)
  }

  /// Returns whether no question is in both values.
  public func isDisjoint(with other: Self) -> Bool {
    switch (self, other) {
    case (.all, .all): false
    case (.all, .some(let numbers)), (.some(let numbers), .all): numbers.isEmpty
    case (.some(let mine), .some(let others)): mine.isDisjoint(with: others)
    }
  }

  /// Returns whether a question is included.
  public func contains(_ number: Int) -> Bool {
    switch self {
    case .all: true
    case .some(let numbers): numbers.contains(number)
    }
  }
}
