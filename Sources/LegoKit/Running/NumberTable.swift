/// Values by their numbers, of which there is most often one: that one is found without a hash.
struct NumberTable<Value: Sendable>: Sendable {
  /// An entry that is in the place of its own; its number is in no other place then.
  private var firstKey: UInt64 = 0
  private var first: Value?
  private var rest: [UInt64: Value] = [:]

  var isEmpty: Bool { first == nil && rest.isEmpty }

  /// The numbers, in no order.
  var keys: [UInt64] { (first == nil ? [] : [firstKey]) + rest.keys }

  /// The entries, in no order.
  var all: [(key: UInt64, value: Value)] {
    (first.map { [(key: firstKey, value: $0)] } ?? []) + rest.map { ($0.key, $0.value) }
  }

  func contains(_ key: UInt64) -> Bool {
    if first != nil, firstKey == key { return true }
    return !rest.isEmpty && rest.index(forKey: key) != nil
  }

  subscript(key: UInt64) -> Value? {
    if first != nil, firstKey == key { return first }
    return rest.isEmpty ? nil : rest[key]
  }

  /// Puts a value in, in the place of the one that has its number.
  mutating func insert(_ value: consuming Value, for key: UInt64) {
    if rest.isEmpty ? first == nil || firstKey == key : first != nil && firstKey == key {
      (firstKey, first) = (key, value)
    } else {
      rest[key] = value
    }
  }

  /// Takes a value out.
  mutating func remove(_ key: UInt64) -> Value? {
    if first != nil, firstKey == key { return first.take() }
    guard !rest.isEmpty, let value = rest.removeValue(forKey: key) else { return nil }
    // A burst must not keep its memory for good.
    if rest.isEmpty, rest.capacity > 64 { rest = [:] }
    return value
  }
}
