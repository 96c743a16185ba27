import LegoKit

// A navigator with links that have values, and a screen that finds it.

enum TripLinks {
  case index
  case show(Int)
}

struct TripRouting: Routing {
  struct State: RouterState {
    enum Views { case index, show }
    var view: Views = .index
    var shown: Int = 0
    var isLoginRequired: Bool = false
  }

  func route(to route: TripLinks, on state: inout State) {
    switch route {
    case .index:
      state.view = .index
    case .show(let number):
      state.view = .show
      state.shown = number
      state.isLoginRequired = number > 9
    }
  }

  func route(with url: String, on state: inout State) {}
}

typealias TripNavigator = Router<TripRouting>

struct TripScreen {
  @ObservedRoutes var navigator: TripNavigator

  /// The title of the view for a state, as the navigator gives the view for a link.
  func view(for state: TripRouting.State) -> String {
    switch state.view {
    case .index: return "Index"
    case .show: return state.isLoginRequired ? "Log in" : "Trip \(state.shown)"
    }
  }

  var drawn: String { view(for: navigator.state) }

  /// What can be chosen, by its title.
  var links: [(title: String, to: TripLinks)] { [("Index", .index), ("Show 1", .show(1))] }

  func choose(_ title: String) {
    for link in links where link.title == title { navigator.route(to: link.to) }
  }
}
