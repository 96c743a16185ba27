/// A text in udev: bytes that need not be valid UTF-8.
///
/// Two texts are equal if their bytes are equal, as in udevd. In contrast, a `String` is also equal
/// to its canonical equivalents.
public struct UdevRuleText: Hashable, Sendable {
  /// The bytes, without a terminating zero byte.
  public var bytes: [UInt8]

  /// Creates a text from bytes.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Creates a text from the UTF-8 bytes of a string.
  public init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// A Boolean value that indicates whether the text has no bytes.
  public var isEmpty: Bool { bytes.isEmpty }

  /// The last component of a path.
  var lastComponent: UdevRuleText {
    guard let slash = bytes.lastIndex(of: .slash) else { return self }
    return UdevRuleText(Array(bytes[(slash + 1)...]))
  }

  /// A Boolean value that indicates whether the text is valid UTF-8 without control characters.
  var isPrintable: Bool {
    !bytes.contains { $0 < 32 || $0 == 127 } && String(validating: bytes, as: UTF8.self) != nil
  }

  package func hasPrefix(_ prefix: UdevRuleText) -> Bool {
    bytes.starts(with: prefix.bytes)
  }

  /// Returns the text after a prefix; `nil` if the text does not start with it.
  func dropping(_ prefix: UdevRuleText) -> UdevRuleText? {
    hasPrefix(prefix) ? UdevRuleText(Array(bytes[prefix.bytes.count...])) : nil
  }
}

extension UdevRuleText {
  // Hashing an array would hash each byte separately.
  public func hash(into hasher: inout Hasher) {
    var word: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      word = word << 8 | UInt64(byte)
      if index & 7 == 7 {
        hasher.combine(word)
        word = 0
      }
    }
    hasher.combine(word)
    hasher.combine(bytes.count)
  }
}

extension UdevRuleText: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Creates a text from the UTF-8 bytes of a literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension UdevRuleText: Comparable {
  /// Compares texts by bytes, as strcmp(3) does.
  public static func < (left: UdevRuleText, right: UdevRuleText) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension UdevRuleText: CustomStringConvertible {
  /// The text, with replacement characters for invalid UTF-8; it might not be safe to print.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}

extension UInt8 {
  package static let slash = UInt8(ascii: "/")
  package static let underscore = UInt8(ascii: "_")
  static let space = UInt8(ascii: " ")
  package static let backslash = UInt8(ascii: "\\")
  package static let quote = UInt8(ascii: "\"")

  /// A Boolean value that indicates whether udev skips the byte between the parts of a line.
  package var isBlank: Bool { self == 32 || self == 9 || self == 10 || self == 13 }
  /// A Boolean value that indicates whether the byte ends a line in udev.
  package var isLineEnd: Bool { self <= 13 && (self == 0 || self == 10 || self == 13) }
  /// A Boolean value that indicates whether the byte is a space according to isspace(3) in the C
  /// locale.
  var isSpace: Bool { self == 32 || (9...13).contains(self) }
  package var isDecimal: Bool { (48...57).contains(self) }
  package var isLatinLetter: Bool { (97...122).contains(self | 0x20) }
  package var smallLetter: UInt8 { (65...90).contains(self) ? self | 0x20 : self }
}

extension [UInt8] {
  /// Returns whether the bytes are equal to the UTF-8 bytes of a word.
  func spells(_ word: String) -> Bool {
    count == word.utf8.count && elementsEqual(word.utf8)
  }

  /// The bytes without the blanks at their end.
  package var trimmingEnd: [UInt8] {
    var end = count
    while end > 0, self[end - 1].isBlank { end -= 1 }
    return end == count ? self : Array(self[..<end])
  }

  /// The bytes without the blanks at both ends.
  package var trimming: [UInt8] {
    let end = trimmingEnd
    return Array(end.drop { $0.isBlank })
  }
}
