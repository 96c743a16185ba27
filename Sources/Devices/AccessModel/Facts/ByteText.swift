/// Text that represents any sequence of bytes and converts back to exactly those bytes.
///
/// Paths, arguments and environment variables are bytes on Linux, and need not be valid UTF-8.
/// Valid UTF-8 is kept. Each other byte, from 0x80 to 0xFF, becomes one scalar: U+10FF00 plus the
/// byte. If a name contains these scalars (U+10FF80 to U+10FFFF, where Unicode has no characters),
/// their bytes are replaced in the same way. Two names therefore never have the same text.
public struct ByteText: Hashable, Sendable {
  /// The name as text, which may contain unprintable characters.
  public let text: String

  /// Creates a name from the text that a path of the model contains.
  public init(_ text: String) {
    self.text = text
  }

  /// Returns whether two names have the same bytes; two encodings of a letter are different names.
  public static func == (one: Self, other: Self) -> Bool { one.text.isSame(as: other.text) }

  /// Creates a name from its bytes.
  @specialized(where Bytes == [UInt8])
  @specialized(where Bytes == ArraySlice<UInt8>)
  public init<Bytes: Collection<UInt8>>(bytes: Bytes) {
    // Most names are ASCII, and the general conversion takes several times as long.
    if bytes.allSatisfy({ $0 < 0x80 }) {
      text = String(decoding: bytes, as: UTF8.self)
      return
    }
    // Every reserved scalar begins with 0xF4, which is rare.
    if !bytes.contains(Self.lead), let text = String(validating: bytes, as: UTF8.self) {
      self.text = text
    } else {
      text = Self.decode(Array(bytes))
    }
  }

  /// The bytes of the name.
  public var bytes: [UInt8] {
    if isPlain { return Array(text.utf8) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if let byte = Self.byte(scalar) {
        bytes.append(byte)
      } else {
        bytes.append(contentsOf: String(scalar).utf8)
      }
    }
    return bytes
  }

  /// The bytes of the name and a terminating zero byte, for a system call.
  public var cString: [CChar] {
    if isPlain { return Array(text.utf8CString) }
    var string = bytes.map { CChar(truncatingIfNeeded: $0) }
    string.append(0)
    return string
  }

  /// The number of bytes in the name.
  public var byteCount: Int { Self.byteCount(text.utf8Span.span) }

  /// Returns the byte that a scalar represents; `nil` for a scalar that represents itself.
  public static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
    (0x10FF80...0x10FFFF).contains(scalar.value) ? UInt8(truncatingIfNeeded: scalar.value) : nil
  }

  /// Returns the number of bytes in a name, from all or part of its encoded text.
  static func byteCount(_ text: Span<UInt8>) -> Int {
    var count = text.count
    var index = 0
    while index + 3 < text.count {
      if text[index] == lead, text[index + 1] == 0x8F, text[index + 2] >= 0xBE {
        count -= 3
        index += 4
      } else {
        index += 1
      }
    }
    return count
  }

  private static let lead: UInt8 = 0xF4

  /// A Boolean value that indicates whether each scalar represents itself.
  ///
  /// Every file inspection reads this several times.
  private var isPlain: Bool {
    let text = text.utf8Span
    if text.isKnownASCII { return true }
    let bytes = text.span
    for index in bytes.indices where bytes[index] == Self.lead { return false }
    return true
  }

  private static func decode(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var position = 0
    while true {
      let isKept: Bool
      let count: Int
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        isKept = byte(scalar) == nil
        if isKept { text.append(scalar) }
        count = encoded.count
      case .error(let length):
        (isKept, count) = (false, length)
      case .emptyInput:
        return String(text)
      }
      if !isKept {
        for byte in bytes[position..<(position + count)] {
          text.append(Unicode.Scalar(0x10FF00 + UInt32(byte)) ?? "\u{FFFD}")
        }
      }
      position += count
    }
  }
}

/// A path that compares by its bytes, as the kernel compares paths.
///
/// Swift strings are equal if they are canonically equivalent, so a precomposed letter and the same
/// letter with a combining accent would be the same file.
package struct PathKey: Hashable, Sendable {
  private let bytes: [UInt8]

  /// Creates the key of a path or of a single name.
  package init(_ path: String) {
    bytes = Array(path.utf8)
  }
}

/// Comparison and splitting of text by bytes, as in the kernel.
///
/// Swift combines a character and a following combining mark into one character, and treats two
/// encodings of the same letter as equal.
extension StringProtocol {
  /// Returns whether another text has the same bytes.
  package func isSame(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Returns whether the bytes of this text start with the bytes of another text.
  package func begins(with other: some StringProtocol) -> Bool { utf8.starts(with: other.utf8) }

  /// Splits the text at each occurrence of an ASCII character.
  ///
  /// - Parameters:
  ///   - sign: The ASCII character to split at.
  ///   - omittingEmpty: Whether to omit empty parts.
  /// - Returns: The parts, without the separators.
  package func parts(
    at sign: Unicode.Scalar, omittingEmpty: Bool = true
  ) -> [Substring] {
    Substring(self).utf8
      .split(separator: UInt8(ascii: sign), omittingEmptySubsequences: omittingEmpty)
      .map { Substring($0) }
  }
}

extension String {
  /// Returns whether this canonical path is below a directory other than `/`.
  package func isBelow(_ directory: String) -> Bool {
    let (path, above) = (utf8Span.span, directory.utf8Span.span)
    guard path.count > above.count, path[above.count] == UInt8(ascii: "/") else { return false }
    return above.indices.allSatisfy { path[$0] == above[$0] }
  }

  /// Returns whether this canonical path is the given directory, or is below it.
  ///
  /// If the directory is `/`, only `/` itself matches.
  package func isAtOrBelow(_ directory: String) -> Bool {
    isBelow(directory) || isSame(as: directory)
  }
}

/// Escaping of single Unicode scalars, which also works before a combining mark.
extension String {
  /// Returns this text with each occurrence of a scalar doubled.
  package func doubling(_ scalar: Unicode.Scalar) -> String { placing(scalar, before: scalar) }

  /// Returns this text with a scalar inserted before each occurrence of the marked scalars.
  package func placing(_ sign: Unicode.Scalar, before marked: Unicode.Scalar...) -> String {
    unicodeScalars.reduce(into: "") { text, next in
      if marked.contains(next) { text.unicodeScalars.append(sign) }
      text.unicodeScalars.append(next)
    }
  }
}
