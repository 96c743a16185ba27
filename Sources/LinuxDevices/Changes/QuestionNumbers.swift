/// The numbers of some questions, each once, in the order in which they were added.
///
/// Two with the same numbers are equal, whatever their order.
public struct QuestionNumbers: Sendable, Sequence, ExpressibleByArrayLiteral {
  private var order: [Int] = []
  private var members: Set<Int> = []

  /// Creates an empty one.
  public init() {}

  /// Takes over numbers in their order.
  public init(_ numbers: some Sequence<Int>) {
    for number in numbers { insert(number) }
  }

  public init(arrayLiteral numbers: Int...) { self.init(numbers) }

  /// Whether there are none.
  public var isEmpty: Bool { order.isEmpty }

  /// Adds a number, as the last one where it is new.
  public mutating func insert(_ number: Int) {
    if members.insert(number).inserted { order.append(number) }
  }

  /// Adds others.
  public mutating func formUnion(_ others: Self) {
    guard !isEmpty else {
      self = others
      return
    }
    for number in others { insert(number) }
  }

  /// Whether a number is among them.
  public func contains(_ number: Int) -> Bool { members.contains(number) }

  /// Whether no number is among both.
  public func isDisjoint(with other: Self) -> Bool { members.isDisjoint(with: other.members) }

  public func makeIterator() -> IndexingIterator<[Int]> { order.makeIterator() }
}

extension QuestionNumbers: Hashable {
  public static func == (one: Self, other: Self) -> Bool { one.members == other.members }

  public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}
