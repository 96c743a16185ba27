internal import AccessModel

/// A message of PipeWire's native protocol.
///
/// It starts with a header of sixteen bytes: the object ID, the opcode with the size of the body,
/// the sequence number, and the number of file descriptors, which are not received here.
struct PipeWireMessage: Hashable, Sendable {
  /// The ID of the object that receives or sends the message.
  var object: UInt32
  /// The opcode of the object's method or event.
  var operation: UInt8
  /// The arguments of the method or event.
  var arguments: [PipeWireValue]

  /// The size of the header in bytes.
  static let headerSize = 16

  /// Returns the size of a message including its header, or `nil` if the header is incomplete.
  static func size(of bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= headerSize else { return nil }
    let header = Array(bytes.prefix(headerSize))
    return headerSize + Int(PipeWireValue.number(header, at: 4, width: 4) & 0xFF_FFFF)
  }

  /// Creates a message to send.
  init(_ object: UInt32, _ operation: UInt8, _ arguments: [PipeWireValue]) {
    self.object = object
    self.operation = operation
    self.arguments = arguments
  }

  /// Parses a complete message; returns `nil` if it is malformed.
  init?(parsing bytes: ArraySlice<UInt8>) {
    guard let size = Self.size(of: bytes), size == bytes.count else { return nil }
    let bytes = Array(bytes)
    guard
      case .structure(let arguments)? = PipeWireValue(
        parsing: Array(bytes[Self.headerSize...]))
    else { return nil }
    object = UInt32(PipeWireValue.number(bytes, at: 0, width: 4))
    operation = bytes[UInt32(1).littleEndian == 1 ? 7 : 4]
    self.arguments = arguments
  }

  /// Returns the encoded message with the given sequence number.
  func bytes(number: UInt32) -> [UInt8] {
    let body = Self.bytes(of: .structure(arguments))
    return Self.word(object) + Self.word(UInt32(operation) << 24 | UInt32(body.count))
      + Self.word(number) + Self.word(0) + body
  }

  private static func bytes(of value: PipeWireValue) -> [UInt8] {
    switch value {
    case .none, .other: return word(0) + word(1)
    case .number(let number):
      return word(4) + word(4) + word(UInt32(truncatingIfNeeded: number)) + word(0)
    case .text(let text):
      let body = Array(text.utf8) + [0]
      let padding = [UInt8](repeating: 0, count: (8 - body.count % 8) % 8)
      return word(UInt32(body.count)) + word(8) + body + padding
    case .structure(let elements):
      let body = elements.flatMap(bytes)
      return word(UInt32(body.count)) + word(14) + body
    }
  }

  private static func word(_ number: UInt32) -> [UInt8] {
    unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
  }
}

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
