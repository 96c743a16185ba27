/// A link, taken apart and decoded.
struct LinkParts {
  /// The segments of its path; empty ones do not count.
  private(set) var segments: [String] = []
  /// The names and values of its query, in their order.
  private(set) var query: [(name: String, value: String)] = []

  /// Takes a link apart.
  ///
  /// - Parameters:
  ///   - link: The link. What follows a `#` is ignored.
  ///   - scheme: What it has to begin with, without the colon; `nil` for a path alone.
  /// - Throws: That it begins otherwise, or what is malformed.
  init(_ link: [UInt8], scheme: [UInt8]?) throws(LinkError) {
    var rest = link[...]
    if let scheme {
      guard rest.count > scheme.count, rest[scheme.count] == UInt8(ascii: ":"),
        rest.prefix(scheme.count).elementsEqual(scheme, by: { Self.lowercase($0) == $1 })
      else { throw .otherScheme }
      rest = rest.dropFirst(scheme.count + 1)
    } else if rest.first != UInt8(ascii: "/") {
      throw .otherScheme
    }
    if let end = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<end] }
    let mark = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
    var path = rest[..<mark]
    while let part = Self.next(of: &path, before: UInt8(ascii: "/")) {
      if !part.isEmpty { segments.append(try Self.decoded(part)) }
    }
    var list = rest[mark...].dropFirst()
    while var part = Self.next(of: &list, before: UInt8(ascii: "&")) {
      guard let name = Self.next(of: &part, before: UInt8(ascii: "=")) else { continue }
      query.append((try Self.decoded(name), try Self.decoded(part)))
    }
  }

  /// Takes what comes before a separator, and the separator; `nil` where nothing is left.
  private static func next(
    of rest: inout ArraySlice<UInt8>, before separator: UInt8
  ) -> ArraySlice<UInt8>? {
    guard !rest.isEmpty else { return nil }
    let end = rest.firstIndex(of: separator) ?? rest.endIndex
    defer { rest = rest[end...].dropFirst() }
    return rest[..<end]
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func decoded(_ part: ArraySlice<UInt8>) throws(LinkError) -> String {
    guard let text = PercentCoding.decoded(part) else {
      throw .malformed(position: part.startIndex)
    }
    return text
  }
}
