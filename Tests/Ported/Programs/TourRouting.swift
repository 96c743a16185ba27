import LegoKit

// Routing: rules, a router for the whole program, and screens and a blueprint that use it.

struct TourRouting: Routing {
  struct State: RouterState {
    enum Views {
      case welcome
      case loading
      case gallery
      case exit
    }

    var view: Views = .loading
    var displayMapSheet: Bool = false
  }

  enum Route {
    case welcome
    case gallery
    case exit
    case map(Bool)
  }

  func route(to route: Route, on state: inout State) {
    switch route {
    case .welcome:
      state.view = .welcome

    case .gallery:
      state.view = .gallery

    case .exit:
      state.view = .exit

    case .map(let display):
      if state.view != .gallery {
        state.view = .gallery
      }
      state.displayMapSheet = display
    }
  }

  func route(with url: String, on state: inout State) {
    if url == "tour://gallery" { state.view = .gallery }
  }
}

/// The program: it makes the router, and registers it.
struct TourApp {
  private let router: Router<TourRouting> = .init(.init(), routing: TourRouting())

  init() {
    LegoKit.router(router)
  }
}

/// The screen around all others.
struct TourScreen {
  @ObservedRoutes private var router: Router<TourRouting>

  var drawn: String {
    switch router.state.view {
    case .welcome:
      return "Welcome"

    case .loading:
      return "Loading"

    case .gallery:
      return router.state.displayMapSheet ? "Gallery, with the map over it" : "Gallery"

    case .exit:
      return "Goodbye"
    }
  }

  func onAppear() {
    if router.state.view == .loading { router.route(to: .welcome) }
  }

  func pressMap() {
    router.route(to: .map(true))
  }

  var isMapPresented: Glue<Bool> { router.routable(\.displayMapSheet, route: .map(false)) }

  /// The views that are shown until the tour ends.
  func views() async -> [TourRouting.State.Views] {
    var views: [TourRouting.State.Views] = []
    for await state in $router {
      views.append(state.view)
      if state.view == .exit { break }
    }
    return views
  }
}

enum TicketError: Error, Equatable {
  case soldOut
}

struct TicketBlueprint: Blueprint {
  @Routes private var router: Router<TourRouting>

  struct Design: Equatable {
    var ticket: Int?
  }

  enum Change: Equatable {
    case buy
    case bought(Result<Int, TicketError>)
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .buy:
      break

    case .bought(let answer):
      switch answer {
      case .success(let ticket):
        design.ticket = ticket
        router.route(to: .gallery)

      case .failure:
        design.ticket = nil
        router.route(to: .exit)
      }
    }
  }
}
