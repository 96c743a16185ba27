internal import JSONText

/// The path of an endpoint, below the path of its base.
///
/// A value that is put into the text becomes one segment, or a part of one, whatever it holds: a
/// slash in it is encoded. The rest is as it stands, encoded where that is needed.
///
/// ```swift
/// let name = "a/b"
/// let path: EndpointPath = "/albums/\(name)/photos"  // /albums/a%2Fb/photos
/// ```
///
/// A path with an empty value, or with a segment `.` or `..`, would lead elsewhere. Its request
/// fails with `.invalidRequest`, and nothing is sent.
public struct EndpointPath: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The path as it is sent.
  public let encoded: String
  let hasEmptyValue: Bool

  /// What collects the parts of a text.
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    var encoded = ""
    var hasEmptyValue = false

    /// Begins.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds a part of the text itself.
    public mutating func appendLiteral(_ literal: String) {
      encoded += PercentCoding.encodedPath(literal)
    }

    /// Adds a value.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      let text = value.description
      hasEmptyValue = hasEmptyValue || text.isEmpty
      encoded += PercentCoding.encoded(text)
    }
  }

  /// Creates a path from a text with values in it.
  public init(stringInterpolation: StringInterpolation) {
    let path = stringInterpolation.encoded
    encoded = path.isEmpty || path.hasPrefix("/") ? path : "/" + path
    hasEmptyValue = stringInterpolation.hasEmptyValue
  }

  /// Creates a path from a text.
  public init(stringLiteral: String) {
    var parts = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
    parts.appendLiteral(stringLiteral)
    self.init(stringInterpolation: parts)
  }

  /// What keeps it from being sent.
  var problem: String? {
    if hasEmptyValue { return "a value in the path is empty" }
    let segments = encoded.split(separator: "/", omittingEmptySubsequences: false)
    return segments.contains { $0 == "." || $0 == ".." } ? "the path has a segment of dots" : nil
  }
}

/// Names with values: the query of an address, or the body of a form.
///
/// An item whose value is `nil` is left out. Names and values are written as they are meant; they
/// are encoded when they are sent.
public struct QueryItems: Sendable, ExpressibleByDictionaryLiteral {
  private var items: [(name: String, value: String)] = []

  /// No items.
  public init() {}

  /// Items in order; a name may come several times.
  public init(dictionaryLiteral elements: (String, String?)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// Adds an item, unless its value is `nil`.
  public mutating func append(_ name: String, _ value: String?) {
    if let value { items.append((name, value)) }
  }

  /// Whether there is none.
  var isEmpty: Bool { items.isEmpty }

  func encoded(by encode: (String) -> String) -> String {
    items.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
  }
}

extension QueryItems: Hashable {
  /// Whether the same items stand in the same order.
  public static func == (left: QueryItems, right: QueryItems) -> Bool {
    left.items.elementsEqual(right.items) { $0 == $1 }
  }

  /// Feeds the items to a hasher.
  public func hash(into hasher: inout Hasher) {
    for item in items {
      hasher.combine(item.name)
      hasher.combine(item.value)
    }
  }
}

extension QueryItems: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The names alone: values may be secret.
  public var description: String {
    items.map { JSONQuotes.escaped($0.name) + "=…" }.joined(separator: "&")
  }

  /// The same.
  public var debugDescription: String { description }

  /// The names alone, for `dump` and logs of changes.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: items.map { JSONQuotes.escaped($0.name) })
  }
}

/// The percent-encoding of the parts of an address (RFC 3986, section 2.1).
enum PercentCoding {
  /// A text in which everything is encoded that may have a meaning of its own.
  static func encoded(_ text: String) -> String { encoded(text, alsoAllowing: "-._~") }

  /// The literal part of a path: what separates its segments stays.
  static func encodedPath(_ text: String) -> String {
    encoded(text, alsoAllowing: "-._~/!$&'()*+,;=:@")
  }

  /// A text as a form encodes it, in which a space is a plus sign.
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
