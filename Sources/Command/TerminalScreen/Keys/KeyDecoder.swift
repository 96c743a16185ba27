/// Decodes the bytes that a terminal sends into keys.
///
/// The terminal's own description of its keys takes precedence. Other sequences are decoded
/// according to ECMA-48 and the conventions of most terminals, because many keys are missing from
/// descriptions.
///
/// A sequence may arrive in parts. The Escape key sends the byte with which sequences begin, so
/// only a pause distinguishes the two; see ``pause()``.
package struct KeyDecoder: Sendable {
  /// The maximum length of a sequence, in bytes; longer sequences are not keys.
  private static let longestSequence = 32

  private let sequences: KeySequences
  private var pending: [UInt8] = []

  /// Creates a decoder for the special keys of a terminal.
  package init(_ sequences: KeySequences = KeySequences()) {
    self.sequences = sequences
  }

  /// A Boolean value that indicates whether an incomplete sequence has arrived.
  package var isWaiting: Bool { !pending.isEmpty }

  /// Decodes bytes, and returns the keys that are complete.
  package mutating func decode(_ bytes: [UInt8]) -> [Key] {
    let all = pending + bytes
    pending = []
    var rest = all[...]
    var keys: [Key] = []
    while let first = rest.first {
      switch sequences.match(rest) {
      case .key(let key, let length)?:
        keys.append(key)
        rest = rest.dropFirst(length)
        continue
      case .beginning?:
        pending = Array(rest)
        return keys
      case nil: break
      }
      let piece = first == 0x1B ? Self.sequence(rest) : Self.character(rest)
      guard let piece else {
        pending = Array(rest)
        break
      }
      if let key = piece.key { keys.append(key) }
      rest = rest.dropFirst(piece.length)
    }
    return keys
  }

  /// Returns the keys that the pending bytes represent if no more bytes follow.
  package mutating func pause() -> [Key] {
    defer { pending = [] }
    if case .key(let key, pending.count) = sequences.match(pending[...], isAll: true) {
      return [key]
    }
    return pending == [0x1B] ? [.escape] : []
  }

  /// Returns the key of an ECMA-48 sequence, and the length of the sequence.
  ///
  /// The key is `nil` if the sequence is not a key. The result is `nil` if the sequence is
  /// incomplete.
  private static func sequence(_ bytes: ArraySlice<UInt8>) -> (key: Key?, length: Int)? {
    let bytes = Array(bytes.prefix(longestSequence))
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "O"):
      return bytes.count > 2 ? (keys[bytes[2]], 3) : nil
    case UInt8(ascii: "["):
      guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
        return bytes.count < longestSequence ? nil : (nil, bytes.count)
      }
      guard bytes[end] == UInt8(ascii: "~") else { return (keys[bytes[end]], end + 1) }
      let number = bytes[2..<end].prefix { (0x30...0x39).contains($0) }
      return (numberedKeys[String(decoding: number, as: UTF8.self)], end + 1)
    case 0x1B:
      return (.escape, 1)
    default:
      // This is a character that was typed with the Meta key.
      return character(bytes.dropFirst()).map { (nil, $0.length + 1) }
    }
  }

  /// The keys by the last byte of their sequences.
  private static let keys: [UInt8: Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right,
    UInt8(ascii: "D"): .left, UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end,
    UInt8(ascii: "M"): .enter,
  ]

  private static let numberedKeys: [String: Key] = [
    "1": .home, "7": .home, "4": .end, "8": .end, "5": .pageUp, "6": .pageDown,
  ]

  /// Returns the next UTF-8 character as a key, and its length; `nil` if it is incomplete.
  private static func character(_ bytes: ArraySlice<UInt8>) -> (key: Key?, length: Int)? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x0A, 0x0D: return (.enter, 1)
    case 0x08, 0x7F: return (.backspace, 1)
    case ..<0x80: return (.character(Unicode.Scalar(first)), 1)
    default: break
    }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    let end = bytes.dropFirst().prefix(length - 1).prefix { $0 & 0xC0 == 0x80 }.endIndex
    let piece = bytes[bytes.startIndex..<end]
    if piece.count < length, end == bytes.endIndex, first >= 0xC2, first <= 0xF4 { return nil }
    let scalars = String(decoding: piece, as: UTF8.self).unicodeScalars
    guard let scalar = scalars.first, scalars.count == 1, scalar != "\u{FFFD}" else {
      return (nil, 1)
    }
    return (.character(scalar), piece.count)
  }
}

/// A key that a terminal reports.
package enum Key: Hashable, Sendable {
  case up, down, left, right, pageUp, pageDown, home, end, enter, escape, backspace
  /// A typed character, which may be a control character.
  case character(Unicode.Scalar)
}
