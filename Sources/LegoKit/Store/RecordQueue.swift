/// The changes that wait to be told, in their order.
///
/// The first has a place of its own, since most often it is the only one: the answer of an adaptor.
@usableFromInline
struct RecordQueue<Design: Equatable & Sendable, Change: Equatable & Sendable>: Sendable {
  @usableFromInline typealias Record = LegoKit.Record<Design, Change>

  @usableFromInline var first: Record?
  @usableFromInline var rest = Queue<Record>()

  @inlinable init() {}

  @inlinable var isEmpty: Bool { first == nil }

  @inlinable var count: Int { first == nil ? 0 : rest.count + 1 }

  @inlinable mutating func append(_ record: consuming Record) {
    if first == nil { first = record } else { rest.append(record) }
  }

  @inlinable mutating func popFirst() -> Record? {
    guard let record = first.take() else { return nil }
    if !rest.isEmpty { first = rest.popFirst() }
    return record
  }

  /// The changes by their numbers and the builds that caused them, the newest first.
  var newestFirst: some Sequence<(number: UInt64, root: UInt64)> {
    sequence(state: count) { [first, rest] left -> (number: UInt64, root: UInt64)? in
      if left == 0 { return nil }
      left -= 1
      let record = left == 0 ? first : rest[left - 1]
      return record.map { ($0.notification.number, $0.notification.root) }
    }
  }

  /// The last record that passes a test.
  func last(where matches: (Record) -> Bool) -> Record? {
    rest.last(where: matches) ?? first.flatMap { matches($0) ? $0 : nil }
  }
}
