import LegoKit

// A flow with a root, screens that are pushed and one that is presented, and the function that makes
// navigation of their actions.

struct Cart: Blueprint {
  struct Design: Equatable, Identifiable {
    let id: Int
    var items: [String] = []
  }

  enum Change: Equatable {
    case add(String)
    case checkOut
    case help
  }

  func change(_ design: inout Design, on change: Change) {
    if case .add(let item) = change { design.items.append(item) }
  }
}

struct Step: Blueprint {
  struct Design: Equatable, Identifiable {
    let id: Int
    var text: String = ""
  }

  enum Change: Equatable {
    case text(String)
    case next
    case done
  }

  func change(_ design: inout Design, on change: Change) {
    if case .text(let text) = change { design.text = text }
  }
}

enum Checkout {
  /// The routes: a step may be pushed more than once, and the help never.
  enum Route: Equatable, Identifiable {
    case step(Step.Design)
    case help(Step.Design)

    var id: String {
      switch self {
      case .step(let state): return "step \(state.id)"
      case .help: return "help"
      }
    }

    var step: Step.Design? { if case .step(let state) = self { state } else { nil } }
    var help: Step.Design? { if case .help(let state) = self { state } else { nil } }
  }

  enum RouteChange: Equatable {
    case step(Step.Change)
    case help(Step.Change)

    var step: Step.Change? { if case .step(let change) = self { change } else { nil } }
    var help: Step.Change? { if case .help(let change) = self { change } else { nil } }
  }

  typealias Router = Flow<Cart, Screens<Route, RouteChange>>

  static let rootBody = Feature(Cart())

  static let routeBody = Feature(Screens<Route, RouteChange>())
    .route(.case({ .step($0) }, \.step), .case({ .step($0) }, \.step), Feature(Step()))
    .route(.case({ .help($0) }, \.help), .case({ .help($0) }, \.help), Feature(Step()))

  static func navigation(for change: Router.Change) -> Router.Move? {
    switch change {
    case .root(.checkOut):
      return .path(.push(.step(.init(id: 1))))
    case .root(.help), .path(.screen(_, .help(.next))):
      return .modals(.present(.help(.init(id: 0))))
    case .path(.screen("step 1", .step(.next))):
      return .path(.push(.step(.init(id: 2))))
    case .path(.screen(_, .step(.done))):
      return .path(.popToRoot)
    case .modals(.screen(let id, .help(.done))):
      return .modals(.close(id))
    default:
      return nil
    }
  }

  static func store() -> Lego<Router> {
    Lego(
      .init(root: .init(id: 0)),
      feature: .flow(root: rootBody, screens: routeBody, navigation: { navigation(for: $0) }))
  }
}

/// What shows the flow: the root or the screen on top, and what is presented over it.
struct CheckoutScreen {
  let store: Lego<Checkout.Router>

  var root: LegoScope<Cart.Design, Cart.Change> { store.scope(\.root, change: { .root($0) }) }

  var drawn: [String] {
    [Self.drawn(store.design.path.top) ?? "cart of \(root.design.items.count)"]
      + store.design.modals.screens.compactMap(Self.drawn)
  }

  private static func drawn(_ route: Checkout.Route?) -> String? {
    switch route {
    case .step(let step)?: return "step \(step.id) \(step.text)"
    case .help?: return "help"
    case nil: return nil
    }
  }
}
