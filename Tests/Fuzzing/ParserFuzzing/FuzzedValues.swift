internal import MessageBus

/// The values of messages of the bus, made from whatever bytes there are.
///
/// A byte says what a value is, and what follows is its contents; a text ends with a zero.
struct FuzzedValues {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// A byte that is no part of a value; `nil` at the end.
  mutating func byte() -> UInt8? { rest.popFirst() }

  /// The values of one message.
  mutating func message() -> [BusValue] { values(depth: 0) }

  private mutating func values(depth: Int) -> [BusValue] {
    var values: [BusValue] = []
    while let type = rest.popFirst(), type != UInt8(ascii: ")") {
      switch type {
      case UInt8(ascii: "u"): values.append(.unsigned(UInt64(rest.popFirst() ?? 0)))
      case UInt8(ascii: "i"): values.append(.signed(Int64(rest.popFirst() ?? 0)))
      case UInt8(ascii: "b"): values.append(.boolean(rest.popFirst() == 1))
      case UInt8(ascii: "s"):
        let end = rest.firstIndex(of: 0) ?? rest.endIndex
        values.append(.text(String(decoding: rest[..<end], as: UTF8.self)))
        rest = rest[end...].dropFirst()
      case UInt8(ascii: "("): values.append(.list(depth < 8 ? self.values(depth: depth + 1) : []))
      default: values.append(.other)
      }
    }
    return values
  }
}
