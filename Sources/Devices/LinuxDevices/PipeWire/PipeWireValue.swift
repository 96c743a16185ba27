internal import AccessModel

/// A value in PipeWire's wire format (a SPA POD), limited to the types that messages here need.
enum PipeWireValue: Hashable, Sendable {
  case none
  /// A Boolean, an ID or an integer.
  case number(Int64)
  case text(String)
  case structure([PipeWireValue])
  /// A value of any other type.
  case other

  /// The maximum nesting depth, which exceeds the depth of any message that is read.
  private static let mostLevels = 8
  /// The maximum length of a string in bytes, which exceeds any name or path.
  private static let longestText = 4096

  /// Parses the value at the start of the bytes; returns `nil` if it is malformed.
  init?(parsing bytes: [UInt8]) {
    var place = 0
    guard let value = Self.read(bytes, &place, end: bytes.count, levels: Self.mostLevels) else {
      return nil
    }
    self = value
  }

  /// The elements of a structure; empty for any other value.
  var elements: [PipeWireValue] {
    if case .structure(let elements) = self { elements } else { [] }
  }

  /// The keys and values of a dictionary, which is encoded as a count and pairs of strings.
  ///
  /// The result is empty for any other value.
  var properties: [String: String] {
    var properties: [String: String] = [:]
    let words = elements
    for index in stride(from: 1, to: words.count - 1, by: 2) {
      guard case .text(let key) = words[index], case .text(let value) = words[index + 1] else {
        continue
      }
      properties[key] = value
    }
    return properties
  }

  private static func read(
    _ bytes: [UInt8], _ place: inout Int, end: Int, levels: Int
  ) -> PipeWireValue? {
    // A value consists of the size of its body, its type, the body, and padding to eight bytes.
    guard levels > 0, end - place >= 8 else { return nil }
    let size = Int(number(bytes, at: place, width: 4))
    let type = number(bytes, at: place + 4, width: 4)
    let body = place + 8
    guard size <= end - body else { return nil }
    place = min(body + (size + 7) / 8 * 8, end)
    switch type {
    case 1: return PipeWireValue.none
    case 2, 3, 4:
      guard size >= 4 else { return nil }
      let word = UInt32(truncatingIfNeeded: number(bytes, at: body, width: 4))
      return .number(type == 3 ? Int64(word) : Int64(Int32(bitPattern: word)))
    case 5:
      guard size >= 8 else { return nil }
      return .number(Int64(bitPattern: number(bytes, at: body, width: 8)))
    case 8:
      let text = bytes[body..<(body + size)].prefix { $0 != 0 }
      return .text(String(repairing: text, limit: longestText))
    case 14:
      var elements: [PipeWireValue] = []
      var next = body
      while next < body + size {
        guard let element = read(bytes, &next, end: body + size, levels: levels - 1) else {
          return nil
        }
        elements.append(element)
      }
      return .structure(elements)
    default: return .other
    }
  }

  /// Reads an unsigned number in the machine's byte order, which the format uses.
  static func number(_ bytes: [UInt8], at place: Int, width: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<width {
      let shift = UInt64(1).littleEndian == 1 ? index : width - 1 - index
      value |= UInt64(bytes[place + index]) << (8 * shift)
    }
    return value
  }
}
