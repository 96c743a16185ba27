package import JSONText

/// A parsed JSON value, which can be encoded again.
package indirect enum ParsedJSON: Hashable, Encodable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  case array([ParsedJSON])
  case object([Member])

  /// A member of an object.
  package struct Member: Hashable, Sendable {
    package let key: String
    package let value: ParsedJSON

    package init(key: String, value: ParsedJSON) {
      self.key = key
      self.value = value
    }
  }

  /// The members of an object by key; `nil` for any other value.
  package var members: [String: ParsedJSON]? {
    guard case .object(let members) = self else { return nil }
    return Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
  }

  /// Parses a complete text with the parser of the product.
  package init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
    self.init(try JSONParser.parse(bytes), JSONTape.root)
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
      var elements: [ParsedJSON] = []
      var element = index + 1
      for _ in 0..<tape.tokens[index].count {
        elements.append(ParsedJSON(tape, element))
        element = tape.next(after: element)
      }
      self = .array(elements)
    case .object:
      self = .object(
        tape.keys(of: index).map {
          Member(key: tape.string($0) ?? "", value: ParsedJSON(tape, $0 + 1))
        })
    }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .object(let members):
      var container = encoder.container(keyedBy: JSONKey.self)
      for member in members {
        try container.encode(member.value, forKey: JSONKey(stringValue: member.key))
      }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .unsigned(let value): try container.encode(value)
      case .double(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      default: try container.encodeNil()
      }
    }
  }
}
