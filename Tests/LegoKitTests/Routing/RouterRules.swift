import LegoKit

// The rules of the routing chapter, as they are printed there save for the type of a link.

struct RoutingService: Routing {
  struct State: RouterState {
    enum Views {
      case splash
      case loading
      case permissions
      case editor
      case export
    }

    var view: Views = .loading
    var displayToolsSheet: Bool = false
  }

  enum Route {
    case splash
    case loading
    case permissions
    case editor
    case export
    case tools(Bool)
  }

  func route(to route: Route, on state: inout State) {
    switch route {
    case .splash:
      state.view = .splash

    case .loading:
      state.view = .loading

    case .permissions:
      state.view = .permissions

    case .editor:
      state.view = .editor

    case .export:
      state.view = .export

    case .tools(let display):
      if state.view != .editor {
        state.view = .editor
      }
      state.displayToolsSheet = display
    }
  }

  func route(with url: String, on state: inout State) {
    if url == "demo://export" { state.view = .export }
  }
}

/// A blueprint that routes, as that of the manual does.
struct AuthBlueprint: Blueprint {
  @Routes private var router: Router<RoutingService>

  struct Design: Equatable, Sendable {
    var user: String?
  }

  enum Change: Equatable, Sendable, Codable {
    case signInComplete(String?)
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .signInComplete(let user):
      design.user = user
      router.route(to: user == nil ? .permissions : .editor)
    }
  }
}

struct ContentView {
  @ObservedRoutes var router: Router<RoutingService>

  var states: Selection<RoutingService.State> { $router }
}

struct Tally: RouterState {
  enum Views { case only }
  var view = Views.only
  var count = 0
  var depth = 0
}

protocol CountingRules: Routing where State == Tally, Route == CountingRoute {}

enum CountingRoute { case next }

extension CountingRules {
  func route(to route: CountingRoute, on state: inout Tally) { state.count += 1 }
  func route(with url: String, on state: inout Tally) { state.count += 1 }
}

struct Counting: CountingRules {}
struct Absent: CountingRules {}
struct Registered: CountingRules {}
struct Contested: CountingRules {}

struct Missing { @Routes var router: Router<Absent> }
struct Registers { @ObservedRoutes var router: Router<Registered> }

/// Rules that use their own router, which they should not.
struct Nested: Routing {
  @Routes private var router: Router<Nested>

  func route(to depth: Int, on state: inout Tally) {
    if state.depth < depth - 1 { router.route(to: depth - 1) }
    state.depth += 1
  }

  func route(with url: String, on state: inout Tally) {}
}

/// Rules of a path of pages, and of pages over it.
struct PathRouting: Routing {
  struct State: RouterState {
    enum Views { case album }
    var view = Views.album
    var path: Stack<Page.Design> = []
    var modals: Presented<Page.Design> = []
  }

  enum Route {
    case open(Int)
    case close(Int)
    case set([Page.Design])
    case help
  }

  func route(to route: Route, on state: inout State) {
    switch route {
    case .open(let id): state.path.push(.init(id: id))
    case .close(let id): state.path.close(id)
    case .set(let pages): state.path.set(pages)
    case .help: state.modals.present(.init(id: 0))
    }
  }

  func route(with url: String, on state: inout State) {
    if let id = Int(url) { state.path.push(.init(id: id)) }
  }
}
