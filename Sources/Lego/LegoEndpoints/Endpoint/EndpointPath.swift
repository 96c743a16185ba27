internal import JSONText

/// The path of an endpoint, relative to its base.
///
/// Each interpolated value is encoded as one segment or a part of one, including any slashes in it.
/// The literal text is encoded only where that is necessary.
///
/// ```swift
/// let name = "a/b"
/// let path: EndpointPath = "/albums/\(name)/photos"  // /albums/a%2Fb/photos
/// ```
///
/// A path with an empty value, or with a segment `.` or `..`, would refer to another resource. Its
/// request fails with `.invalidRequest`, and nothing is sent.
public struct EndpointPath: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The encoded path.
  public let encoded: String
  let hasEmptyValue: Bool

  /// Collects the parts of an interpolated string.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var encoded = ""
    var hasEmptyValue = false

    /// Creates an empty interpolation.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends literal text.
    public mutating func appendLiteral(_ literal: String) {
      encoded += PercentCoding.encodedPath(literal)
    }

    /// Appends a value.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      let text = value.description
      hasEmptyValue = hasEmptyValue || text.isEmpty
      encoded += PercentCoding.encoded(text)
    }
  }

  /// Creates a path from an interpolated string.
  public init(stringInterpolation: StringInterpolation) {
    let path = stringInterpolation.encoded
    encoded = path.isEmpty || path.hasPrefix("/") ? path : "/" + path
    hasEmptyValue = stringInterpolation.hasEmptyValue
  }

  /// Creates a path from a string.
  public init(stringLiteral: String) {
    var parts = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
    parts.appendLiteral(stringLiteral)
    self.init(stringInterpolation: parts)
  }

  /// The reason why the path cannot be sent; `nil` if it is valid.
  var problem: String? {
    if hasEmptyValue { return "a value in the path is empty" }
    let segments = encoded.split(separator: "/", omittingEmptySubsequences: false)
    return segments.contains { $0 == "." || $0 == ".." } ? "the path has a segment . or .." : nil
  }
}

/// Names and values: the query of an address, or the body of a form.
///
/// Items with the value `nil` are omitted. Names and values are encoded when they are sent.
public struct QueryItems: Sendable, ExpressibleByDictionaryLiteral {
  private var items: [(name: String, value: String)] = []

  /// Creates an empty list.
  public init() {}

  /// Creates a list of items in order.
  ///
  /// A name can occur several times.
  public init(dictionaryLiteral elements: (String, String?)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// Appends an item, unless its value is `nil`.
  public mutating func append(_ name: String, _ value: String?) {
    if let value { items.append((name, value)) }
  }

  /// A Boolean value that indicates whether the list is empty.
  var isEmpty: Bool { items.isEmpty }

  func encoded(by encode: (String) -> String) -> String {
    items.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
  }
}

extension QueryItems: Hashable {
  /// A Boolean value that indicates whether two lists have the same items in the same order.
  public static func == (left: QueryItems, right: QueryItems) -> Bool {
    left.items.elementsEqual(right.items) { $0 == $1 }
  }

  /// Hashes the items.
  public func hash(into hasher: inout Hasher) {
    for item in items {
      hasher.combine(item.name)
      hasher.combine(item.value)
    }
  }
}

extension QueryItems: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Only the names, because values may be secret.
  public var description: String {
    items.map { JSONQuotes.escaped($0.name) + "=…" }.joined(separator: "&")
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror that shows only the parameter names, so that `dump` and change logs omit the values.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: items.map { JSONQuotes.escaped($0.name) })
  }
}

/// The percent-encoding of the parts of an address (RFC 3986, section 2.1).
enum PercentCoding {
  /// Encodes every character that can have a special meaning.
  static func encoded(_ text: String) -> String { encoded(text, alsoAllowing: "-._~") }

  /// Encodes the literal part of a path, except for the characters that separate its segments.
  static func encodedPath(_ text: String) -> String {
    encoded(text, alsoAllowing: "-._~/!$&'()*+,;=:@")
  }

  /// Encodes text of a form, where a space is a plus sign.
  static func encodedForm(_ text: String) -> String {
    encoded(text, alsoAllowing: "-._*", spaceIsPlus: true)
  }

  private static func encoded(
    _ text: String, alsoAllowing others: String, spaceIsPlus: Bool = false
  ) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    let digits = Array("0123456789ABCDEF".utf8)
    let others = Array(others.utf8)
    for byte in text.utf8 {
      if HTTPSyntax.isLetterOrDigit(byte) || others.contains(byte) {
        result.append(byte)
      } else if spaceIsPlus, byte == UInt8(ascii: " ") {
        result.append(UInt8(ascii: "+"))
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
