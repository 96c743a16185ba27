internal import AccessModel
internal import Glibc

/// Splits text files into lines and lines into fields without copying them.
enum ByteScanner {
  static let newline = UInt8(ascii: "\n")
  static let space = UInt8(ascii: " ")

  /// Returns the parts between separators, including empty ones.
  static func split(
    _ bytes: ArraySlice<UInt8>, at separator: UInt8
  ) -> [ArraySlice<UInt8>] {
    bytes.split(separator: separator, omittingEmptySubsequences: false)
  }

  /// Returns the words of a line, which are separated by spaces and tabs.
  static func words(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    bytes.split { $0 == space || $0 == UInt8(ascii: "\t") }
  }

  /// Returns the value of decimal digits; `nil` for any other text or if the value does not fit.
  static func number(_ bytes: ArraySlice<UInt8>) -> UInt32? {
    guard !bytes.isEmpty, bytes.count <= 10 else { return nil }
    var value: UInt64 = 0
    for byte in bytes {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      value = value * 10 + UInt64(byte - UInt8(ascii: "0"))
    }
    return UInt32(exactly: value)
  }

  /// Returns the value of at most 16 hexadecimal digits; `nil` for any other text.
  static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> UInt64? {
    guard !bytes.isEmpty, bytes.count <= 16,
      let text = String(validating: bytes, as: UTF8.self), text.first != "+"
    else { return nil }
    return UInt64(text, radix: 16)
  }
}

extension String {
  /// Creates a string from untrusted bytes that is safe to store.
  ///
  /// Only the first `limit` bytes are used. Invalid UTF-8 and control characters are replaced with
  /// U+FFFD.
  init(repairing bytes: some Collection<UInt8>, limit: Int) {
    let text = String(decoding: bytes.prefix(Swift.max(limit, 0)), as: UTF8.self)
    guard text.unicodeScalars.contains(where: \.isControl) else {
      self = text
      return
    }
    var repaired = String.UnicodeScalarView()
    repaired.append(contentsOf: text.unicodeScalars.lazy.map { $0.isControl ? "\u{FFFD}" : $0 })
    self = String(repaired)
  }

  /// Copies untrusted text from a C string; `nil` for a null pointer.
  ///
  /// The text is repaired as in ``init(repairing:limit:)``.
  init?(copying text: UnsafePointer<CChar>?, limit: Int) {
    guard let text = unsafe text else { return nil }
    let count = unsafe strnlen(text, Swift.max(limit, 0))
    let bytes = unsafe UnsafeBufferPointer(start: text, count: count)
    self.init(
      repairing: unsafe Array(bytes.lazy.map { UInt8(truncatingIfNeeded: $0) }), limit: limit)
  }

  /// Copies a path exactly; `nil` for a null pointer or a path that is too long.
  init?(path text: UnsafePointer<CChar>?) {
    guard let text = unsafe text else { return nil }
    let count = unsafe strnlen(text, 4096)
    guard count < 4096 else { return nil }
    self = unsafe ByteText(bytes: Array(UnsafeRawBufferPointer(start: text, count: count))).text
  }
}

extension Unicode.Scalar {
  /// A Boolean value that indicates whether the character can affect how a line is displayed.
  ///
  /// These are the control characters, the line separators, and characters that change the text
  /// direction.
  fileprivate var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
    default: false
    }
  }
}
