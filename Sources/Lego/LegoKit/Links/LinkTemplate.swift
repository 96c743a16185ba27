/// The form of a link: fixed path segments, query names, and placeholders for values.
struct LinkTemplate: Sendable {
  enum Segment: Hashable, Sendable {
    case fixed(String)
    case value
  }

  let text: String
  let segments: [Segment]
  /// The names of the values in the query, in order.
  let names: [String]

  /// The number of values in the path and in the query.
  var valueCount: Int { pathValueCount + names.count }
  let pathValueCount: Int

  /// Parses a template such as `/camera/:id?zoom=&lens=`.
  init(_ text: String) throws(LinkTemplateError) {
    self.text = text
    func fault(_ reason: String) -> LinkTemplateError {
      LinkTemplateError(template: text, reason: reason)
    }
    guard text.hasPrefix("/") else { throw fault("does not begin with a slash") }
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var segments: [Segment] = []
    for part in halves[0].split(separator: "/") {
      guard part.hasPrefix(":") else {
        segments.append(.fixed(String(part)))
        continue
      }
      guard part.count > 1 else { throw fault("has a place without a name") }
      segments.append(.value)
    }
    var names: [String] = []
    if halves.count > 1 {
      for part in halves[1].split(separator: "&", omittingEmptySubsequences: false) {
        guard part.hasSuffix("="), part.count > 1, !part.dropLast().contains("=") else {
          throw fault("has a query that is no list of names, each with an equals sign")
        }
        let name = String(part.dropLast())
        if names.contains(name) { throw fault("has the name \(name) twice in its query") }
        names.append(name)
      }
    }
    self.segments = segments
    self.names = names
    pathValueCount = segments.count { $0 == .value }
  }

  /// Returns the texts of a link's values in order, or `nil` if the link does not match.
  func values(of link: LinkParts) -> [String?]? {
    guard link.segments.count == segments.count else { return nil }
    var values: [String?] = []
    for (segment, found) in zip(segments, link.segments) {
      switch segment {
      case .fixed(let text): if text != found { return nil }
      case .value: values.append(found)
      }
    }
    for name in names { values.append(link.query.first { $0.name == name }?.value) }
    return values
  }

  /// Creates a link from the texts of its values, or returns `nil` if a value in the path is
  /// missing or empty.
  func link(with values: [String?]) -> String? {
    var link = ""
    var values = values[...]
    for segment in segments {
      link += "/"
      switch segment {
      case .fixed(let text): PercentCoding.append(text, to: &link)
      case .value:
        guard let value = values.popFirst() ?? nil, !value.isEmpty else { return nil }
        PercentCoding.append(value, to: &link)
      }
    }
    if segments.isEmpty { link = "/" }
    var separator = "?"
    for (name, value) in zip(names, values) {
      guard let value else { continue }
      link += separator
      PercentCoding.append(name, to: &link)
      link += "="
      PercentCoding.append(value, to: &link)
      separator = "&"
    }
    return link
  }
}

/// An error in a link template.
public struct LinkTemplateError: Error, Equatable, CustomStringConvertible {
  /// The template.
  public let template: String
  /// The reason, worded to follow the template, such as *does not begin with a slash*.
  public let reason: String

  /// A message for the user.
  public var description: String { "the template \(template.debugDescription) \(reason)" }
}

/// All forms of link that a program supports.
public struct Links<Route>: Sendable {
  /// The maximum length of a link, in bytes.
  public static var limit: Int { 16_384 }

  private let scheme: String?
  private let schemeBytes: [UInt8]?
  private let links: [Link<Route>]

  /// Creates the links of a program.
  ///
  /// - Parameters:
  ///   - scheme: The scheme without the colon, such as `camera`, or `nil` if links are paths. Case
  ///     is ignored, and `camera:/room/3` is the same link as `camera://room/3`.
  ///   - links: The supported forms of link. The first form that matches is used.
  public init(scheme: String? = nil, _ links: [Link<Route>]) {
    self.scheme = scheme?.lowercased()
    schemeBytes = self.scheme.map { Array($0.utf8) }
    self.links = links
  }

  /// Returns the route of a link.
  ///
  /// Empty path segments, unknown names in the query, and everything after a `#` are ignored. If a
  /// name occurs twice, the first value is used.
  ///
  /// - Parameter link: The link, which may come from an untrusted source.
  /// - Returns: The route.
  /// - Throws: ``LinkError`` if the link has no route.
  public func route(to link: String) throws(LinkError) -> Route {
    guard link.utf8.count <= Self.limit else { throw .tooLong(limit: Self.limit) }
    let parts = try LinkParts(Array(link.utf8), scheme: schemeBytes)
    for link in links {
      if let route = link.route(to: parts) { return route }
    }
    throw .unknown
  }

  /// Returns the link to a route, or `nil` if no form of link matches the route.
  public func link(to route: Route) -> String? {
    for link in links {
      if let path = link.link(to: route) { return scheme.map { "\($0):\(path)" } ?? path }
    }
    return nil
  }
}
