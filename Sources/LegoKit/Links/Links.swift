/// All links into a program, and the routes that they lead to.
public struct Links<Route>: Sendable {
  /// How many bytes a link may have: a longer one is no link that anybody shares.
  public static var limit: Int { 16_384 }

  private let scheme: String?
  private let schemeBytes: [UInt8]?
  private let links: [Link<Route>]

  /// Creates the links of a program.
  ///
  /// - Parameters:
  ///   - scheme: What they begin with, such as `camera` in `camera:/room/3`, in any case of letters;
  ///     `nil` for paths alone. `camera://room/3` is the same link.
  ///   - links: Their forms. The first that matches a link, or has a link to a route, counts.
  public init(scheme: String? = nil, _ links: [Link<Route>]) {
    self.scheme = scheme?.lowercased()
    schemeBytes = self.scheme.map { Array($0.utf8) }
    self.links = links
  }

  /// The route that a link leads to.
  ///
  /// Empty segments of the path, names of the query that no template has, and what follows a `#`
  /// are ignored. Of a name that occurs twice the first value counts.
  ///
  /// - Parameter link: The link, which may come from anywhere.
  /// - Returns: The route.
  /// - Throws: Why it leads nowhere.
  public func route(to link: String) throws(LinkError) -> Route {
    guard link.utf8.count <= Self.limit else { throw .tooLong(limit: Self.limit) }
    let parts = try LinkParts(Array(link.utf8), scheme: schemeBytes)
    for link in links {
      if let route = link.route(to: parts) { return route }
    }
    throw .unknown
  }

  /// The link to a route; `nil` where no template has one.
  public func link(to route: Route) -> String? {
    for link in links {
      if let path = link.link(to: route) { return scheme.map { "\($0):\(path)" } ?? path }
    }
    return nil
  }
}
