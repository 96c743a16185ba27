/// A parsed text, which consists of its bytes and the positions of its values, in the order of the
/// text.
///
/// Numbers and strings remain bytes until they are requested, so parsing does not allocate memory
/// for each value.
package final class JSONTape: Sendable {
  /// A value or a key; a key is a string token before the token of its value.
  package struct Token: Hashable, Sendable {
    package enum Kind: UInt8, Sendable {
      case null, yes, no
      /// A number without a fraction or an exponent.
      case integer
      case fraction
      /// A string that is ASCII and has no escapes.
      case string
      /// A string without escapes that is not only ASCII.
      case unicodeString
      /// A string with escapes, whose text differs from its bytes.
      case escapedString
      case array
      case object
    }

    package var kind: Kind
    /// The range of the bytes, which for a string excludes the quotes.
    var start: Int32
    var end: Int32
    /// The index of the token after the value and everything in it.
    var next: Int32 = 0
    /// The number of elements of a list, or of members of an object.
    package var count: Int32 = 0
  }

  /// The index of the outermost value.
  package static let root = 0

  let bytes: [UInt8]
  package let tokens: [Token]
  let options: JSONOptions

  init(bytes: [UInt8], tokens: [Token], options: JSONOptions) {
    self.bytes = bytes
    self.tokens = tokens
    self.options = options
  }

  /// Returns the index of the value or key after the value at an index.
  package func next(after index: Int) -> Int { Int(tokens[index].next) }

  /// Returns the bytes of a token.
  func slice(_ index: Int) -> ArraySlice<UInt8> {
    bytes[Int(tokens[index].start)..<Int(tokens[index].end)]
  }

  /// Returns the original text of a value, including the quotes of a string.
  func text(_ index: Int) -> String {
    let token = tokens[index]
    let quotes =
      switch token.kind {
      case .string, .unicodeString, .escapedString: 1
      default: 0
      }
    return String(
      decoding: bytes[Int(token.start) - quotes..<Int(token.end) + quotes], as: UTF8.self)
  }

  /// Returns the text of a string; `nil` for any other value.
  package func string(_ index: Int) -> String? {
    switch tokens[index].kind {
    case .string, .unicodeString: String(decoding: slice(index), as: UTF8.self)
    case .escapedString: JSONEscapes.text(slice(index))
    default: nil
    }
  }

  /// Returns a number without a fraction or an exponent; `nil` if it does not fit, and for any
  /// other value.
  package func integer<T: FixedWidthInteger>(_ index: Int) -> T? {
    guard tokens[index].kind == .integer else { return nil }
    // Wider types are rare, so this path can be slow.
    guard T.bitWidth <= 64 else { return T(String(decoding: slice(index), as: UTF8.self)) }
    var digits = slice(index)
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits.removeFirst() }
    // A 64-bit number has at most 20 digits.
    guard digits.count <= 20 else { return nil }
    var magnitude: UInt64 = 0
    for digit in digits {
      let (tenfold, overflows) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, overflowsToo) = tenfold.addingReportingOverflow(
        UInt64(digit - UInt8(ascii: "0")))
      guard !overflows, !overflowsToo else { return nil }
      magnitude = sum
    }
    if !isNegative { return T(exactly: magnitude) }
    guard magnitude <= 1 << 63 else { return nil }
    return T(exactly: Int64(truncatingIfNeeded: 0 &- magnitude))
  }

  /// Returns a number; `nil` if it does not fit, and for any other value.
  package func number<T: BinaryFloatingPoint & LosslessStringConvertible>(_ index: Int) -> T? {
    switch tokens[index].kind {
    case .integer, .fraction:
      // A number that does not fit would become infinite.
      return T(String(decoding: slice(index), as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    case .string where options.allowsNonFiniteNumbers:
      guard let number = T(String(decoding: slice(index), as: UTF8.self)), !number.isFinite else {
        return nil
      }
      return number
    default: return nil
    }
  }

  /// Returns `true` if a key equals a name.
  func isKey(_ index: Int, _ name: borrowing String) -> Bool {
    let token = tokens[index]
    guard token.kind == .string else { return string(index) == copy name }
    let name = name.utf8Span.span
    guard Int(token.end - token.start) == name.count else { return false }
    for offset in name.indices where name[offset] != bytes[Int(token.start) + offset] {
      return false
    }
    return true
  }

  /// Returns the index of a member's value; `nil` if the object has no such member.
  package func member(_ name: String, of object: Int) -> Int? {
    var key = object + 1
    for _ in 0..<tokens[object].count {
      if isKey(key, name) { return key + 1 }
      key = next(after: key + 1)
    }
    return nil
  }

  /// Returns the indices of the keys of an object, in order.
  package func keys(of object: Int) -> [Int] {
    var keys: [Int] = []
    keys.reserveCapacity(Int(tokens[object].count))
    var key = object + 1
    for _ in 0..<tokens[object].count {
      keys.append(key)
      key = next(after: key + 1)
    }
    return keys
  }

  /// Returns the path to a value, which is computed only for error messages.
  func path(to index: Int) -> [JSONKey] {
    var path: [JSONKey] = []
    var place = Self.root
    while place < index {
      let isObject = tokens[place].kind == .object
      var part = place + 1
      var number = 0
      // The value is in the last part that begins at or before it.
      while case let next = next(after: isObject ? part + 1 : part), next <= index {
        part = next
        number += 1
      }
      path.append(
        isObject ? JSONKey(stringValue: string(part) ?? "") : JSONKey(intValue: number))
      place = isObject ? part + 1 : part
    }
    return path
  }

  /// Returns a description of a value's type, for error messages.
  func typeName(_ index: Int) -> String {
    switch tokens[index].kind {
    case .null: "null"
    case .yes, .no: "a truth value"
    case .integer, .fraction: "a number"
    case .string, .unicodeString, .escapedString: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
