/// The numbers of some questions, each once, in the order in which they were added.
///
/// Two with the same numbers are equal, whatever their order.
public struct QuestionNumbers: Sendable, Sequence, ExpressibleByArrayLiteral {
  private var order: [Int] = []
  /// The same, once they are so many that to search them takes longer.
  private var members: Set<Int> = []

  private static let mostSearched = 16

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
    guard !contains(number) else { return }
    order.append(number)
    if !members.isEmpty {
      members.insert(number)
    } else if order.count > Self.mostSearched {
      members = Set(order)
    }
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
  public func contains(_ number: Int) -> Bool {
    members.isEmpty ? order.contains(number) : members.contains(number)
  }

  /// Those of as many questions, in their order.
  public func below(_ count: Int) -> Self {
    // Most often that is all.
    let indices = 0..<count
    return order.allSatisfy(indices.contains) ? self : Self(order.filter(indices.contains))
  }

  /// Whether no number is among both.
  public func isDisjoint(with other: Self) -> Bool {
    let (few, many) = order.count < other.order.count ? (self, other) : (other, self)
    return !few.order.contains(where: many.contains)
  }

  public func makeIterator() -> IndexingIterator<[Int]> { order.makeIterator() }
}

extension QuestionNumbers: Hashable {
  public static func == (one: Self, other: Self) -> Bool {
    one.order.count == other.order.count && one.order.allSatisfy(other.contains)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(Set(order)) }
}
