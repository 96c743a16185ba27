/// A set of question numbers that keeps the order of insertion.
///
/// Sets with the same numbers are equal, regardless of the order.
public struct QuestionNumbers: Sendable, Sequence, ExpressibleByArrayLiteral {
  private var order: [Int] = []
  /// The same numbers, if there are too many for a linear search.
  private var members: Set<Int> = []

  private static let mostSearched = 16

  /// Creates an empty set.
  public init() {}

  /// Creates a set with numbers in the given order.
  public init(_ numbers: some Sequence<Int>) {
    for number in numbers { insert(number) }
  }

  public init(arrayLiteral numbers: Int...) { self.init(numbers) }

  /// A Boolean value that indicates whether the set is empty.
  public var isEmpty: Bool { order.isEmpty }

  /// Adds a number at the end, unless the set contains it.
  public mutating func insert(_ number: Int) {
    guard !contains(number) else { return }
    order.append(number)
    if !members.isEmpty {
      members.insert(number)
    } else if order.count > Self.mostSearched {
      members = Set(order)
    }
  }

  /// Adds the numbers of another set.
  public mutating func formUnion(_ others: Self) {
    guard !isEmpty else {
      self = others
      return
    }
    for number in others { insert(number) }
  }

  /// Returns whether the set contains a number.
  public func contains(_ number: Int) -> Bool {
    members.isEmpty ? order.contains(number) : members.contains(number)
  }

  /// Returns the numbers less than `count`, in the same order.
  public func below(_ count: Int) -> Self {
    // Usually these are all numbers.
    let indices = 0..<count
    return order.allSatisfy(indices.contains) ? self : Self(order.filter(indices.contains))
  }

  /// Returns whether no number is in both sets.
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
