/// Values by their numbers, of which there is most often one: that one is found without a hash.
struct NumberTable<Value: Sendable>: Sendable {
  /// An entry that is in the place of its own; its number is in no other place then.
  private var firstKey: UInt64 = 0
  private var first: Value?
  private var rest = NumberMap<Value>()

  var isEmpty: Bool { first == nil && rest.isEmpty }

  /// The numbers, in no order.
  var keys: [UInt64] { all.map(\.key) }

  /// The entries, in no order.
  var all: [(key: UInt64, value: Value)] {
    (first.map { [(key: firstKey, value: $0)] } ?? []) + rest.all
  }

  func contains(_ key: UInt64) -> Bool {
    if first != nil, firstKey == key { return true }
    return rest.contains(key)
  }

  subscript(key: UInt64) -> Value? {
    if first != nil, firstKey == key { return first }
    return rest[key]
  }

  /// Puts a value in, in the place of the one that has its number.
  mutating func insert(_ value: consuming Value, for key: UInt64) {
    if rest.isEmpty ? first == nil || firstKey == key : first != nil && firstKey == key {
      (firstKey, first) = (key, value)
    } else {
      rest.insert(value, for: key)
    }
  }

  /// Takes a value out.
  mutating func remove(_ key: UInt64) -> Value? {
    if first != nil, firstKey == key { return first.take() }
    return rest.remove(key)
  }
}
