/// A value that a link can contain.
///
/// If a type is `LosslessStringConvertible`, or if its raw value is a `LinkValue`, it only needs to
/// declare conformance.
public protocol LinkValue: Sendable {
  /// A Boolean value that indicates whether a link may omit the value.
  static var mayBeAbsent: Bool { get }

  /// Creates a value from its text in a link, or returns `nil` if the text is not valid.
  ///
  /// - Parameter text: The decoded text, or `nil` if the link omits the value.
  init?(linkText text: String?)

  /// The text of the value before percent-encoding, or `nil` to omit the value.
  var linkText: String? { get }
}

extension LinkValue {
  /// `false`, so a link must contain the value.
  @inlinable public static var mayBeAbsent: Bool { false }
}

extension LinkValue where Self: LosslessStringConvertible {
  /// Creates a value from its description.
  @inlinable public init?(linkText text: String?) {
    guard let text else { return nil }
    self.init(text)
  }

  /// The description of the value.
  @inlinable public var linkText: String? { description }
}

extension LinkValue where Self: RawRepresentable, RawValue: LinkValue {
  /// Creates a value from the text of its raw value.
  @inlinable public init?(linkText text: String?) {
    guard let value = RawValue(linkText: text) else { return nil }
    self.init(rawValue: value)
  }

  /// The text of the raw value.
  @inlinable public var linkText: String? { rawValue.linkText }
}

extension String: LinkValue {}
extension Bool: LinkValue {}
extension Int: LinkValue {}
extension UInt64: LinkValue {}

extension Double: LinkValue {
  /// Creates a finite number from its description.
  ///
  /// Infinity and NaN are rejected, because links may come from an untrusted source and few
  /// programs expect such numbers.
  @inlinable public init?(linkText text: String?) {
    guard let text, let value = Double(text), value.isFinite else { return nil }
    self = value
  }

  /// The description of the number, or `nil` if the number is not finite.
  @inlinable public var linkText: String? { isFinite ? description : nil }
}

extension Optional: LinkValue where Wrapped: LinkValue {
  /// `true`, so a link may omit the value.
  @inlinable public static var mayBeAbsent: Bool { true }

  /// Creates a wrapped value from its text, or `.none` if the link omits the value.
  @inlinable public init?(linkText text: String?) {
    guard let text else {
      self = .none
      return
    }
    guard let value = Wrapped(linkText: text) else { return nil }
    self = .some(value)
  }

  /// The text of the value, or `nil` if there is no value.
  @inlinable public var linkText: String? { flatMap(\.linkText) }
}

/// Percent-encodes and decodes the parts of a link, as specified in RFC 3986, section 2.1.
enum PercentCoding {
  /// Returns the decoded text, or `nil` if the text is malformed.
  ///
  /// The text is malformed if a percent sign is not followed by two hexadecimal digits, or if the
  /// decoded bytes are not valid UTF-8. A plus sign is not decoded, because it means a space only
  /// in web forms.
  static func decoded(_ part: ArraySlice<UInt8>) -> String? {
    guard part.contains(UInt8(ascii: "%")) else { return String(validating: part, as: UTF8.self) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(part.count)
    var rest = part
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Appends text to a link, percent-encoding all characters except unreserved ones.
  static func append(_ text: String, to link: inout String) {
    for byte in text.utf8 {
      if isUnreserved(byte) {
        link.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        link += byte < 16 ? "%0" : "%"
        link += String(byte, radix: 16, uppercase: true)
      }
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
