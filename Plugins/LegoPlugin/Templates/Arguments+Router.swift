extension Arguments {
  /// The files of a router.
  func router(in places: Places) -> [SourceFile] {
    let type = "\(name.type)Routing"
    let own = [SourceFile("\(type).swift", in: places.source.directoryURL, routing)]
    guard let tests = places.tests else { return own }
    let test = routerTest(of: places.source.moduleName)
    return own + [SourceFile("\(type)Tests.swift", in: tests.directoryURL, test)]
  }

  private var routing: String {
    """
    import LegoKit

    /// Where routes and links lead.
    ///
    /// Replace the views, the routes and the link with your own.
    struct \(name.type)Routing: Routing {
      /// What to show.
      struct State: RouterState {
        enum Views {
          case home
          case details
        }

        var view: Views = .home
      }

      enum Route {
        case home
        case details
      }

      func route(to route: Route, on state: inout State) {
        switch route {
        case .home: state.view = .home
        case .details: state.view = .details
        }
      }

      func route(with url: String, on state: inout State) {
        if url == "app://details" { route(to: .details, on: &state) }
      }
    }

    extension \(name.type)Routing {
      /// The program's router.
      ///
      /// Give it to `LegoKit.router(_:)` at the start, so that `@Routes` finds it.
      static let router = Router(State(), routing: Self())
    }
    """
  }

  private func routerTest(of module: String) -> String {
    """
    import LegoKit
    import Testing

    @testable import \(module)

    struct \(name.type)RoutingTests {
      @Test func `begins at home`() {
        #expect(\(name.type)Routing.router.state.view == .home)
      }

      @Test func `goes where routes and links lead`() {
        let router = Router(.init(), routing: \(name.type)Routing())
        router.route(to: .details)
        #expect(router.state.view == .details)
        router.route(to: .home)
        #expect(router.state.view == .home)
        router.route(with: "app://details")
        #expect(router.state.view == .details)
      }

      @Test func `stays where it is when a link leads nowhere`() {
        let router = Router(.init(), routing: \(name.type)Routing())
        router.route(with: "app://nowhere")
        #expect(router.state.view == .home)
      }
    }
    """
  }
}
