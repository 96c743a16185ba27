import LegoKit
import LegoTesting
import Observation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A router` {
  private typealias State = RoutingService.State

  @Test func `goes where routes and links lead`() {
    let router: Router<RoutingService> = .init(.init(), routing: RoutingService())
    #expect(router.state.view == .loading)
    router.route(to: .tools(true))
    #expect(router.state == State(view: .editor, displayToolsSheet: true))
    router.route(with: "demo://export")
    #expect(router.state.view == .export)
    let before = router.state
    for link in ["", "demo://%zz", String(repeating: "a", count: 1_000_000)] {
      router.route(with: link)
    }
    #expect(router.state == before)
  }

  @Test func `binds a value of its state to a route`() {
    let router = Router(.init(), routing: RoutingService())
    let sheet = router.routable(\.displayToolsSheet, route: .tools(false))
    router.route(to: .tools(true))
    #expect(sheet.wrappedValue)
    sheet.wrappedValue = false
    #expect(!sheet.wrappedValue && !router.state.displayToolsSheet)
    let either = router.routable(\.displayToolsSheet) { .tools($0) }
    either.wrappedValue = true
    #expect(router.state.displayToolsSheet)
  }

  @Test func `may show a path, and what is presented over it`() {
    let router = Router(.init(), routing: PathRouting())
    router.route(to: .open(7))
    router.route(with: "9")
    router.route(to: .open(7))
    #expect(router.state.path.map(\.id) == [7, 9])
    router.route(to: .help)
    #expect(router.state.modals.top?.id == 0)
    let path = router.routable(\.path.screens) { .set($0) }
    path.wrappedValue.removeLast()
    #expect(router.state.path.map(\.id) == [7])
    router.route(to: .close(7))
    router.route(to: .close(7))
    #expect(router.state.path.isEmpty)
  }

  @Test func `tells its states to observers and sequences`() async {
    let router = Router(.init(), routing: RoutingService())
    let told = Collected<State>()
    let token = router.onStateChange { told.append($0) }
    var states = router.states.makeAsyncIterator()
    #expect(await states.next()?.view == .loading)
    await router.route(to: .editor).finished()
    await router.route(to: .editor).finished()
    await router.route(to: .tools(true)).finished()
    #expect(told.values == [State(view: .editor), State(view: .editor, displayToolsSheet: true)])
    #expect(await states.next() == told.values.last)
    token.cancel()
  }

  @Test func `is seen by observation`() async {
    let router = Router(.init(), routing: RoutingService())
    let seen = Mutex(false)
    var views = Observations { router.state.view }.makeAsyncIterator()
    #expect(await views.next() == .loading)
    withObservationTracking {
      _ = router.state
    } onChange: {
      seen.withLock { $0 = true }
    }
    await router.route(to: .splash).finished()
    while !seen.withLock({ $0 }) { await Task.yield() }
    #expect(await views.next() == .splash)
  }

  @Test func `loses no route of two threads, and tells them in order`() async {
    let router = Router(.init(), routing: Counting())
    let told = Collected<Int>()
    let token = router.onStateChange { told.append($0.count) }
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask { for _ in 0..<5_000 { router.route(to: .next) } }
      }
    }
    await router.route(to: .next).finished()
    #expect(router.state.count == 10_001)
    #expect(told.values.last == 10_001)
    #expect(told.values == told.values.sorted())
    token.cancel()
  }

  @Test func `may be routed by its own rules, and by those who observe`() async {
    let router = Router(.init(), routing: Nested())
    withRouter(router) {
      router.route(to: 3)
      #expect(router.state.depth == 3)
    }
    let counting = Router(.init(), routing: Counting())
    let token = counting.onStateChange { if $0.count < 5 { counting.route(to: .next) } }
    counting.route(to: .next)
    while counting.state.count < 5 { await Task.yield() }
    token.cancel()
  }
}

@Suite(.timeLimit(.minutes(5))) struct `The router in force` {
  @Test func `is found by blueprints and views`() async {
    let router = Router(.init(), routing: RoutingService())
    await withRouter(router) {
      let lego = Lego(.init(), blueprint: AuthBlueprint())
      lego.build(.signInComplete("Ada"))
      #expect(router.state.view == .editor)
      let view = ContentView()
      #expect(view.router === router)
      var states = view.states.makeAsyncIterator()
      #expect(await states.next()?.view == .editor)
      view.router.route(to: .splash)
      #expect(router.state.view == .splash)
      #expect(await states.next()?.view == .splash)
    }
  }

  @Test func `is that of the task in which a store was made`() async {
    let router = Router(.init(), routing: RoutingService())
    let lego = withRouter(router) { Lego(.init(), blueprint: AuthBlueprint()) }
    _ = await Task.detached { lego.build(.signInComplete("Ada")) }.value
    #expect(router.state.view == .editor)
  }

  @Test func `may be observed by one who uses the store that routes`() async {
    let router = Router(.init(), routing: RoutingService())
    let users = Collected<String?>()
    let lego = withRouter(router) { Lego(.init(), blueprint: AuthBlueprint()) }
    // The blueprint routes under the store's lock, and the observer reads the store.
    let token = router.onStateChange { _ in users.append(lego.design.user) }
    lego.build(.signInComplete("Ada"))
    while users.values.isEmpty { await Task.yield() }
    #expect(users.values == ["Ada"])
    token.cancel()
  }

  @Test func `is not moved by a replay`() async throws {
    let router = Router(.init(), routing: RoutingService())
    let lines = Collected<String>()
    try withRouter(router) {
      let lego = Lego(.init(), blueprint: AuthBlueprint())
      let token = lego.record(to: LogSink { lines.append($0) })
      lego.build(.signInComplete(nil))
      lego.build(.signInComplete("Ada"))
      token.cancel()
      router.route(to: .splash)
      let told = Collected<RoutingService.State>()
      let states = router.onStateChange { told.append($0) }
      var replay = try Replay(.init(), blueprint: AuthBlueprint(), lines: lines.values)
      #expect(replay.finish().user == "Ada")
      replay.go(to: 1)
      replay.stepBack()
      #expect(router.state.view == .splash)
      states.cancel()
      #expect(told.values == [])
    }
  }

  @Test func `is moved by a store under test as by any`() async {
    let router = Router(.init(), routing: RoutingService())
    await withRouter(router) {
      let lego = TestLego(.init(), blueprint: AuthBlueprint())
      lego.build(.signInComplete("Ada")) { $0.user = "Ada" }
      await lego.finish()
    }
    #expect(router.state.view == .editor)
  }

  @Test func `is reported when it is missing, and nothing stops`() async {
    let problems = Collected<String>()
    await withContractors {
      $0.problemSink = LogSink { problems.append($0) }
    } operation: {
      let view = Missing()
      #expect(view.router.state.count == 0)
      #expect(view.router.route(to: .next).number == 0)
      view.router.route(with: "demo://next")
      await view.router.route(to: .next).finished()
      #expect(view.router.state.count == 0)
    }
    while problems.values.count < 3 { await Task.yield() }
    #expect(problems.values.allSatisfy { $0.contains("no router of Absent is registered") })
  }

  @Test func `is the first that was registered, and a second is reported`() async {
    let problems = await problems {
      let first = Router(.init(), routing: Registered())
      let second = Router(.init(), routing: Registered())
      let answers = [LegoKit.router(first), LegoKit.router(first), LegoKit.router(second)]
      #expect(answers == [true, true, false])
      let view = Registers()
      #expect(view.router === first)
      withRouter(second) { #expect(view.router === second) }
    }
    #expect(problems.count == 1)
    #expect(problems.first?.contains("a second router of Registered") == true)
  }

  @Test func `is one, whichever thread registers first`() async {
    let routers = (0..<8).map { _ in Router(.init(), routing: Contested()) }
    await withContractors {
      $0.problemSink = .nowhere
    } operation: {
      let firsts = await withTaskGroup { group in
        for router in routers { group.addTask { LegoKit.router(router) ? 1 : 0 } }
        return await group.reduce(0, +)
      }
      #expect(firsts == 1)
    }
  }
}
