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
