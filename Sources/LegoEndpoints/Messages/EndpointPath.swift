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
