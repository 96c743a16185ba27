import JSONText

/// A parsed JSON value.
enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  /// A number without fraction and exponent that fits.
  case integer(Int64)
  /// A number without fraction and exponent that only fits without a sign.
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])
}

extension JSONValue {
  /// Parses a whole text with the product's parser.
  static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
    let tape = try JSONParser.parse(bytes)
    return JSONValue(tape, JSONTape.root)
  }

  private init(_ tape: JSONTape, _ index: Int) {
    switch tape.tokens[index].kind {
    case .null: self = .null
    case .yes: self = .bool(true)
    case .no: self = .bool(false)
    case .integer, .fraction:
      if let number: Int64 = tape.integer(index) {
        self = .integer(number)
      } else if let number: UInt64 = tape.integer(index) {
        self = .unsigned(number)
      } else {
        self = .double(tape.number(index) ?? .nan)
      }
    case .string, .unicodeString, .escapedString: self = .string(tape.string(index) ?? "")
    case .array:
      var elements: [JSONValue] = []
      var element = index + 1
      for _ in 0..<tape.tokens[index].count {
        elements.append(JSONValue(tape, element))
        element = tape.next(after: element)
      }
      self = .array(elements)
    case .object:
      self = .object(
        Dictionary(
          uniqueKeysWithValues: tape.keys(of: index).map {
            (tape.string($0) ?? "", JSONValue(tape, $0 + 1))
          }))
    }
  }
}
