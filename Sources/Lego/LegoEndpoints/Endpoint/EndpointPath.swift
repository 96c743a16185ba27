internal import JSONText

/// The path of an endpoint, relative to its base.
///
/// Each interpolated value is percent-encoded, including any slashes in it, so it never spans more
/// than one segment. Literal text is encoded only where necessary.
///
/// ```swift
/// let name = "a/b"
/// let path: EndpointPath = "/albums/\(name)/photos"  // /albums/a%2Fb/photos
/// ```
///
/// If a value is empty or a segment is `.` or `..`, the path would refer to a different resource.
/// The request then fails with ``EndpointError/Code/invalidRequest``, and nothing is sent.
public struct EndpointPath: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The percent-encoded path.
  public let encoded: String
  let hasEmptyValue: Bool

  /// Collects the parts of an interpolated string.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var encoded = ""
    var hasEmptyValue = false

    /// Creates an empty interpolation.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends literal text, percent-encoding it only where necessary.
    public mutating func appendLiteral(_ literal: String) {
      encoded += PercentCoding.encodedPath(literal)
    }

    /// Percent-encodes a value and appends it.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      let text = value.description
      hasEmptyValue = hasEmptyValue || text.isEmpty
      encoded += PercentCoding.encoded(text)
    }
  }

  /// Creates a path from an interpolated string.
  ///
  /// A leading slash is added if it is missing.
  public init(stringInterpolation: StringInterpolation) {
    let path = stringInterpolation.encoded
    encoded = path.isEmpty || path.hasPrefix("/") ? path : "/" + path
    hasEmptyValue = stringInterpolation.hasEmptyValue
  }

  /// Creates a path from a string literal.
  ///
  /// A leading slash is added if it is missing.
  public init(stringLiteral: String) {
    var parts = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
    parts.appendLiteral(stringLiteral)
    self.init(stringInterpolation: parts)
  }

  /// The reason why the path is not valid, or `nil` if it is valid.
  var problem: String? {
    if hasEmptyValue { return "a value in the path is empty" }
    let segments = encoded.split(separator: "/", omittingEmptySubsequences: false)
    return segments.contains { $0 == "." || $0 == ".." } ? "the path has a segment . or .." : nil
  }
}

/// A list of names and values for the query of a URL or the body of a form.
///
/// Items with the value `nil` are omitted. Names and values are encoded when they are sent.
public struct QueryItems: Sendable, ExpressibleByDictionaryLiteral {
  private var items: [(name: String, value: String)] = []

  /// Creates an empty list.
  public init() {}

  /// Creates a list with the given items, in order.
  ///
  /// The same name can occur several times.
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
  /// Returns a Boolean value that indicates whether two lists have the same items in the same
  /// order.
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
  /// The names of the items, without the values, which may be secret.
  public var description: String {
    items.map { JSONQuotes.escaped($0.name) + "=…" }.joined(separator: "&")
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror that shows only the names, so that `dump` and change logs omit the values.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: items.map { JSONQuotes.escaped($0.name) })
  }
}

/// Percent-encodes the parts of a URL (RFC 3986, section 2.1).
enum PercentCoding {
  /// Encodes every character except the unreserved ones: ASCII letters, digits and `-._~`.
  static func encoded(_ text: String) -> String { encoded(text, alsoAllowing: "-._~") }

  /// Encodes the literal text of a path, except for the characters that a path may contain.
  static func encodedPath(_ text: String) -> String {
    encoded(text, alsoAllowing: "-._~/!$&'()*+,;=:@")
  }

  /// Encodes the text of a form, replacing spaces with plus signs.
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
