import LegoKit
import Testing

/// Programs in the shape of LBPresenter's and RoutingReducer's manuals.
@Suite(.timeLimit(.minutes(5))) struct `A program ported from LBPresenter` {
  @Test func `counts, and cancels a task that it has started`() async {
    let screen = LapScreen()
    screen.pressIncrement()
    screen.pressIncrement()
    screen.pressDecrement()
    #expect(screen.drawn == "Count = 1")
    let build = screen.presenter.build(.startTask)
    while screen.presenter.design.log.isEmpty { await Task.yield() }
    screen.presenter.build(.cancel)
    await build.finished()
    #expect(screen.presenter.design.log == ["started"])
  }

  @Test func `pushes a screen that has a store of its own`() {
    let screen = BookshelfScreen()
    #expect(screen.drawn == ["shelf"])
    screen.presenter.build(.pushDetail)
    #expect(screen.drawn == ["pushed"])
    let detail = screen.pushed("pushed")
    detail?.build(.read)
    #expect(detail?.design.isRead == true)
    screen.path.wrappedValue.removeLast()
    #expect(screen.drawn == ["shelf"])
    #expect(screen.pushed("pushed") == nil)
  }

  @Test func `presents a screen that dismisses itself`() {
    let screen = BookshelfScreen()
    screen.presenter.build(.present(.init(id: "Emma")))
    #expect(screen.drawn == ["shelf", "Emma"])
    let presented = screen.presented("Emma")
    presented?.build(.path(.move(.push(.init(id: "Chapter 1")))))
    #expect(screen.drawn == ["shelf", "Chapter 1"])
    presented?.build(.path(.move(.pop)))
    presented?.build(.root(.dismiss))
    #expect(screen.drawn == ["shelf"])
    screen.presenter.build(.present(.init(id: "Emma")))
    screen.presenter.build(.present(nil))
    screen.presenter.build(.present(nil))
    #expect(screen.drawn == ["shelf"])
  }

  @Test func `binds fields and the focus`() {
    let screen = LoginScreen()
    screen.focus.wrappedValue = .name
    screen.focus.wrappedValue = .password
    screen.password.wrappedValue = "secret"
    #expect(screen.issues == ["missing"])
    screen.name.wrappedValue = "Ada"
    screen.focus.wrappedValue = nil
    #expect(screen.focus.wrappedValue == nil)
    #expect(screen.issues == ["too short"])
    screen.password.wrappedValue = "difference"
    #expect(screen.issues == [])
  }
}

@Suite struct `A program ported from RoutingReducer` {
  @Test func `navigates by the actions of its screens`() {
    let screen = CheckoutScreen(store: Checkout.store())
    screen.root.build(.add("tea"))
    #expect(screen.drawn == ["cart of 1"])
    screen.root.build(.checkOut)
    screen.root.build(.checkOut)
    screen.store.build(.path(.screen("step 1", .step(.text("address")))))
    #expect(screen.drawn == ["step 1 address"])
    screen.store.build(.path(.screen("step 1", .step(.next))))
    #expect(screen.store.design.path.map(\.id) == ["step 1", "step 2"])
    screen.store.build(.path(.screen("step 2", .step(.done))))
    #expect(screen.drawn == ["cart of 1"])
  }

  @Test func `presents the help once, over whatever is shown`() {
    let screen = CheckoutScreen(store: Checkout.store())
    screen.root.build(.help)
    screen.root.build(.help)
    #expect(screen.drawn == ["cart of 0", "help"])
    screen.store.build(.modals(.screen("help", .help(.done))))
    #expect(screen.drawn == ["cart of 0"])
  }
}
