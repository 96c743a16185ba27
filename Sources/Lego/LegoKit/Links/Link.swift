/// Converts links of one form to routes, and routes to links.
///
/// ```swift
/// let camera = try Link("/camera/:id?zoom=", Route.camera, \.camera)
/// ```
///
/// A path segment that begins with a colon is a placeholder for a value, and so is each name in the
/// query. The placeholders are in the same order as the values of the case. If a value in the query
/// is optional, a link may omit it.
public struct Link<Route>: Sendable {
  private let template: LinkTemplate
  private let read: @Sendable ([String?]) -> Route?
  private let write: @Sendable (Route) -> [String?]?

  /// Creates a link for an enum case with associated values.
  ///
  /// - Parameters:
  ///   - template: The form of the link, such as `/camera/:id?zoom=`.
  ///   - embed: Creates the case from its values.
  ///   - extract: Returns the values, or `nil` for any other case. Pass a closure, or the key path
  ///     of a property.
  /// - Throws: ``LinkTemplateError`` if the syntax is wrong, if the number of placeholders differs
  ///   from the number of values, or if a placeholder in the path is for an optional.
  @inlinable public init<each Value: LinkValue>(
    _ template: String, _ embed: @escaping @Sendable (repeat each Value) -> Route,
    _ extract: @escaping @Sendable (Route) -> (repeat each Value)?
  ) throws(LinkTemplateError) {
    var areOptional: [Bool] = []
    repeat areOptional.append((each Value).mayBeAbsent)
    try self.init(
      template, areOptional,
      read: { texts in
        var reader = LinkReader(texts)
        let values = (repeat reader.next((each Value).self))
        guard let values = Self.unwrapped(repeat each values) else { return nil }
        return embed(repeat each values)
      },
      write: { route in
        guard let values = extract(route) else { return nil }
        var texts: [String?] = []
        repeat texts.append((each values).linkText)
        return texts
      })
  }

  @usableFromInline init(
    _ template: String, _ areOptional: [Bool], read: @escaping @Sendable ([String?]) -> Route?,
    write: @escaping @Sendable (Route) -> [String?]?
  ) throws(LinkTemplateError) {
    let form = try LinkTemplate(template)
    if areOptional.count != form.valueCount {
      throw LinkTemplateError(
        template: template,
        reason: "has \(form.valueCount) places for \(areOptional.count) values")
    }
    if areOptional.prefix(form.pathValueCount).contains(true) {
      throw LinkTemplateError(template: template, reason: "has a place in its path for an optional")
    }
    self.template = form
    self.read = read
    self.write = { route in
      guard let texts = write(route) else { return nil }
      // If a required value has no text, such as an infinite number, the route has no link.
      return zip(texts, areOptional).allSatisfy { $0 != nil || $1 } ? texts : nil
    }
  }

  /// Creates a link for a route without values.
  ///
  /// - Parameters:
  ///   - template: The form of the link, such as `/settings`.
  ///   - route: The route.
  /// - Throws: ``LinkTemplateError`` if the syntax is wrong, or if the template has a placeholder.
  public init(_ template: String, _ route: Route) throws(LinkTemplateError)
  where Route: Equatable & Sendable {
    try self.init(template, { route }, { $0 == route ? () : nil })
  }

  /// Returns the route of a link, or `nil` if the link does not match.
  func route(to link: LinkParts) -> Route? { template.values(of: link).flatMap(read) }

  /// Returns the link to a route, or `nil` if this form of link cannot express the route.
  func link(to route: Route) -> String? { write(route).flatMap(template.link) }

  @inlinable static func unwrapped<each Value>(_ values: repeat (each Value)?) -> (
    repeat each Value
  )? {
    func take<T>(_ value: T?) throws(LinkError) -> T {
      guard let value else { throw .unknown }
      return value
    }
    return try? (repeat take(each values))
  }
}

/// The decoded parts of a link.
struct LinkParts {
  /// The segments of the path, except empty ones.
  private(set) var segments: [String] = []
  /// The names and values in the query, in order.
  private(set) var query: [(name: String, value: String)] = []

  /// Decodes a link.
  ///
  /// - Parameters:
  ///   - link: The link. Everything after a `#` is ignored.
  ///   - scheme: The scheme in lowercase, without the colon, or `nil` if the link must be a path.
  /// - Throws: ``LinkError`` if the link has a different scheme or is malformed.
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

  /// Removes the text up to and including the next separator, and returns it without the separator.
  ///
  /// - Returns: The text, or `nil` if nothing is left.
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

/// Reads the values of a link in order.
@usableFromInline struct LinkReader {
  @usableFromInline var texts: ArraySlice<String?>

  @inlinable init(_ texts: [String?]) {
    self.texts = texts[...]
  }

  /// Returns the next value, or `nil` if its text is invalid or if a required value is missing.
  @inlinable mutating func next<Value: LinkValue>(_: Value.Type) -> Value? {
    Value(linkText: texts.popFirst() ?? nil)
  }
}

/// An error that occurs when a link has no route.
public enum LinkError: Error, Equatable, CustomStringConvertible {
  /// The link is longer than the given number of bytes.
  case tooLong(limit: Int)
  /// The link does not begin with the program's scheme, or with a slash if the program has none.
  case otherScheme
  /// A percent sign is not followed by two hexadecimal digits, or the bytes are not valid UTF-8.
  ///
  /// The position is the byte offset of the malformed path segment, query name or query value.
  case malformed(position: Int)
  /// No template matches.
  case unknown

  /// A message for the user.
  public var description: String {
    switch self {
    case .tooLong(let limit): "the link is longer than \(limit) bytes"
    case .otherScheme: "the link is for another program"
    case .malformed(let position): "the link is malformed at byte \(position)"
    case .unknown: "the link leads to nothing in this program"
    }
  }
}
