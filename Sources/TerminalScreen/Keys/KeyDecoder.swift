/// Turns the bytes that a terminal sends into keys.
///
/// What the terminal's own description says of its keys goes first. Other sequences are taken as
/// ECMA-48 and most terminals have them: many keys are missing from descriptions.
///
/// A sequence may come in parts. The escape key sends the byte that sequences begin with, so that
/// only a pause tells the two apart: ``pause()``.
package struct KeyDecoder: Sendable {
  /// Longer sequences are no keys.
  private static let longestSequence = 32

  private let sequences: KeySequences
  private var pending: [UInt8] = []

  /// Decodes what a terminal with some keys sends.
  package init(_ sequences: KeySequences = KeySequences()) {
    self.sequences = sequences
  }

  /// Whether something came whose rest may follow.
  package var isWaiting: Bool { !pending.isEmpty }

  /// Takes bytes, and tells the keys that are complete.
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

  /// Tells what the bytes so far are when nothing follows them.
  package mutating func pause() -> [Key] {
    defer { pending = [] }
    if case .key(let key, pending.count) = sequences.match(pending[...], isAll: true) {
      return [key]
    }
    return pending == [0x1B] ? [.escape] : []
  }

  /// The key of a sequence of ECMA-48, `nil` for one that is no key; nothing when its end is missing.
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
      // A character with the meta key.
      return character(bytes.dropFirst()).map { (nil, $0.length + 1) }
    }
  }

  /// What a sequence's last byte means.
  private static let keys: [UInt8: Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right,
    UInt8(ascii: "D"): .left, UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end,
    UInt8(ascii: "M"): .enter,
  ]

  private static let numberedKeys: [String: Key] = [
    "1": .home, "7": .home, "4": .end, "8": .end, "5": .pageUp, "6": .pageDown,
  ]

  /// A character of UTF-8; nothing when its end is missing.
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
