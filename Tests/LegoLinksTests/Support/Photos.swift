import LegoKit
import LegoLinks

/// A program with links.
struct Photos: Blueprint {
  enum Route: Equatable, Sendable {
    case picture(Int)
    case search(String)

    var picture: Int? { if case .picture(let number) = self { number } else { nil } }
    var search: String? { if case .search(let words) = self { words } else { nil } }
  }

  struct Design: Equatable, Sendable {
    var routes: [Route] = []
    var shown = 0
  }

  enum Change: Equatable, Sendable {
    case open(Route)
    case show
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .open(let route): design.routes.append(route)
    case .show: design.shown += 1
    }
  }

  static func links() throws -> Links<Route> {
    Links(
      scheme: "photos",
      [
        try Link("/picture/:number", Route.picture, \.picture),
        try Link("/search?words=", Route.search, \.search),
      ])
  }

  /// A store that follows what arrives.
  static func store(_ arrivals: LinkInbox) throws -> Lego<Photos> {
    Lego(.init(), blueprint: Photos(), adaptors: [PhotosAdaptor(try links(), arrivals)])
  }
}

final class PhotosAdaptor: Adaptor<Photos> {
  private let links: Links<Photos.Route>
  private let arrivals: LinkInbox

  init(_ links: Links<Photos.Route>, _ arrivals: LinkInbox) {
    self.links = links
    self.arrivals = arrivals
  }

  override var follows: [Follow<Photos>] {
    [Follow(links, from: arrivals, activated: .show) { .open($0) }]
  }
}
