import AccessModel
import FoundationEssentials

/// Encodes and decodes JSON, because the model itself is independent of any format.
enum JSON {
  static func decode<Value: Decodable>(_: Value.Type = Value.self, _ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Returns the text in the format of ``encode(_:)``.
  static func normalized(_ text: String) throws -> String {
    try encode(JSONDecoder().decode(Tree.self, from: Data(text.utf8)))
  }
}

/// Any JSON value.
enum Tree: Codable, Hashable {
  case null
  case bool(Bool)
  case number(Int)
  case text(String)
  case list([Tree])
  case object([String: Tree])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Int.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([Tree].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: Tree].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .number(let number): try value.encode(number)
    case .text(let text): try value.encode(text)
    case .list(let list): try value.encode(list)
    case .object(let object): try value.encode(object)
    }
  }

  /// Replaces, adds or (with `nil`) removes the value at a path such as `subject/groups` or
  /// `mounts/0/at`.
  mutating func set(_ place: [Substring], _ new: Tree?) {
    guard let key = place.first else {
      if let new { self = new }
      return
    }
    let rest = Array(place.dropFirst())
    switch self {
    case .object(var object):
      if rest.isEmpty {
        object[String(key)] = new
      } else {
        object[String(key), default: .object([:])].set(rest, new)
      }
      self = .object(object)
    case .list(var list):
      guard let index = Int(key), list.indices.contains(index) else { return }
      if rest.isEmpty {
        if let new { list[index] = new } else { list.remove(at: index) }
      } else {
        list[index].set(rest, new)
      }
      self = .list(list)
    default: return
    }
  }
}
