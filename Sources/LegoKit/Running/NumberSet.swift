/// A set of numbers that most often holds one, which needs no memory of its own.
struct NumberSet: Sendable {
  private var first: UInt64?
  private var rest: Set<UInt64> = []

  var isEmpty: Bool { first == nil && rest.isEmpty }

  /// The numbers, in no order.
  var all: [UInt64] { (first.map { [$0] } ?? []) + rest }

  mutating func insert(_ number: UInt64) {
    if first == nil { first = number } else { rest.insert(number) }
  }

  mutating func remove(_ number: UInt64) {
    if first == number { first = nil } else { rest.remove(number) }
  }
}
