/// A form of link, and the route that it leads to: it is read and written by the same template.
///
/// ```swift
/// let camera = try Link("/camera/:id?zoom=", Route.camera, \.camera)
/// ```
///
/// A segment that begins with a colon is the place of a value, and so is each name of the query. The
/// values are those of the case, in the same order. A value of the query may be an optional, which
/// a link need not have.
public struct Link<Route>: Sendable {
  private let template: LinkTemplate
  private let read: @Sendable ([String?]) -> Route?
  private let write: @Sendable (Route) -> [String?]?

  /// Creates the link of a case with values.
  ///
  /// - Parameters:
  ///   - template: The form of the link.
  ///   - embed: The case.
  ///   - extract: Its values, or `nil` for another case: a closure, or the key path of a property.
  /// - Throws: What is wrong with the template: its syntax, or another number of places than values.
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
      // A link that lacks a value leads nowhere.
      return zip(texts, areOptional).allSatisfy { $0 != nil || $1 } ? texts : nil
    }
  }

  /// Creates the link of a route without values.
  ///
  /// - Parameters:
  ///   - template: The form of the link.
  ///   - route: The route.
  /// - Throws: What is wrong with the template.
  public init(_ template: String, _ route: Route) throws(LinkTemplateError)
  where Route: Equatable & Sendable {
    try self.init(template, { route }, { $0 == route ? () : nil })
  }

  /// The route that a link of this form leads to; `nil` for a link of another form.
  func route(to link: LinkParts) -> Route? { template.values(of: link).flatMap(read) }

  /// The link to a route; `nil` for another route.
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
