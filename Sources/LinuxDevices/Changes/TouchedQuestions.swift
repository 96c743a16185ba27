/// Which of several questions may have another answer than when they were looked at.
public enum TouchedQuestions: Hashable, Sendable {
  /// Every one, as when a device came, or when nobody can tell.
  case all
  /// Those with these numbers.
  case some(QuestionNumbers)

  /// None of them.
  public static let none = Self.some([])

  /// Adds others.
  public mutating func formUnion(_ other: Self) {
    guard case .some(var numbers) = self, case .some(let others) = other else {
      self = .all
      return
    }
    self = .none
    numbers.formUnion(others)
    self = .some(numbers)
  }

  /// Whether no question is among both.
  public func isDisjoint(with other: Self) -> Bool {
    switch (self, other) {
    case (.all, .all): false
    case (.all, .some(let numbers)), (.some(let numbers), .all): numbers.isEmpty
    case (.some(let mine), .some(let others)): mine.isDisjoint(with: others)
    }
  }

  /// Whether a question is among them.
  public func contains(_ number: Int) -> Bool {
    switch self {
    case .all: true
    case .some(let numbers): numbers.contains(number)
    }
  }
}
