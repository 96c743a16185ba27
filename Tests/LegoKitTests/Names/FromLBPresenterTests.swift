import LegoKit
import LegoTesting
import Testing

@Suite struct `The names of LBPresenter: state and actions` {
  // Row of FromLBPresenter: `LBPresenter`, `Presenter`, `LBPresenterProtocol`
  @Test func `a presenter is a lego`() {
    let presenter: Lego<Laps> = Laps.lego()
    presenter.build(.increment)
    #expect(presenter.design.count == 1)
  }

  // Row of FromLBPresenter: `PresenterState`, `UiState`, `uiState`
  @Test func `the state that is shown is the design`() {
    func state<Rules: Blueprint>(of lego: Lego<Rules>) -> Rules.Design { lego.design }
    #expect(state(of: Laps.lego()) == Laps.Design(count: 0))
  }

  // Row of FromLBPresenter: `Action`, `Actionning`, `Actionnable`
  @Test func `an action is a change, which is compared and crosses threads`() async {
    func sent<Action: Equatable & Sendable>(_ action: Action) async -> Action {
      await Task.detached { action }.value
    }
    let action: Lego<Laps>.Change = .increment
    #expect(await sent(action) == .increment)
    func isChange<B: Blueprint>(of _: B, _: B.Change) -> Bool { true }
    #expect(isChange(of: Laps(), action))
  }

  // Row of FromLBPresenter: `Reducer`, `reduce`, `.init(reduce:)`
  @Test func `a blueprint changes the state, and an adaptor returns the effect`() async {
    var design = Laps.Design()
    Laps().change(&design, on: .increment)
    #expect(design.count == 1)
    final class Doubling: Adaptor<Laps> {
      override func effect(_ design: Laps.Design, on change: Laps.Change) -> Effect<Laps.Change> {
        change == .decrement ? .send(.increment) : .none
      }
    }
    func reduced<B: Blueprint>(_ blueprint: B, _ design: B.Design, _ adaptor: sending Adaptor<B>)
      -> Lego<B>
    {
      Lego(design, blueprint: blueprint, adaptors: [adaptor])
    }
    let lego = reduced(Laps(), .init(), Doubling())
    await lego.build(.decrement).finished()
    #expect(lego.design.count == 0)
  }

  // Row of FromLBPresenter: `Never` in the place of a navigation state
  @Test func `a design without a path has no screens`() {
    struct Plain: Blueprint {
      struct Design: Equatable, Sendable { var count = 0 }
      enum Change: Equatable, Sendable { case increment }
      func change(_ design: inout Design, on change: Change) { design.count += 1 }
    }
    let lego = Lego(.init(), blueprint: Plain())
    lego.build(.increment)
    #expect(lego.design == .init(count: 1))
    #expect(!Mirror(reflecting: lego.design).children.contains { $0.value is Stack<Laps.Lap> })
  }

  // Row of FromLBPresenter: `.init(initialState:reducer:)`
  @Test func `a lego is made of the first design, the blueprint and its adaptors`() {
    let lego: Lego<Laps> = .init(
      Laps.Design(count: 3), blueprint: Laps(), adaptors: [LapEffects()], enableLogs: false,
      logSink: nil, tracer: nil, runawayLimit: 1_000, backlog: .unlimited)
    lego.build(.decrement)
    #expect(lego.design.count == 2)
  }

  // Row of FromLBPresenter: `.init(initialState:reducer:navState:navReducer:)`
  @Test func `a lego of a feature has its screens in the design`() {
    let feature = Feature(Laps(), adaptors: [LapEffects()]).navigation(\.path) { change in
      change == .increment ? .push(.init(id: 1)) : nil
    }
    let lego = Lego(
      .init(path: [.init(id: 7)]), feature: feature, enableLogs: false, logSink: nil, tracer: nil,
      runawayLimit: 1_000, backlog: .unlimited)
    lego.build(.increment)
    #expect(lego.design.path.map(\.id) == [7, 1])
  }

  // Row of FromLBPresenter: `send(_:)` of a presenter
  @Test func `an action is sent by a build`() {
    let lego: Lego<Laps> = Laps.lego()
    lego.build(.increment)
    lego.build(.decrement)
    #expect(lego.design.count == 0)
  }

  // Row of FromLBPresenter: `state` of a presenter
  @Test func `the state is the design as the last change left it`() {
    let lego: Lego<Laps> = Laps.lego()
    #expect(lego.design == .init())
    lego.build(.increment)
    #expect(lego.design == .init(count: 1))
  }

  // Row of FromLBPresenter: `@MainActor`
  @Test func `a presenter is used from any thread`() async {
    let lego: Lego<Laps> = Laps.lego()
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask { @concurrent in for _ in 0..<1_000 { lego.build(.increment) } }
      }
    }
    #expect(lego.design.count == 2_000)
  }

  // Row of FromLBPresenter: an `Equatable` state refreshes less
  @Test func `an observer is called only when the design differs`() {
    let lego: Lego<Laps> = Laps.lego()
    let told = Collected<Int>()
    let token = lego.onDesignChange { told.append($0.count) }
    for change in [Laps.Change.increment, .log([]), .log(["x"]), .decrement] { lego.build(change) }
    #expect(told.values == [1, 0])
    #expect(lego.design == .init())
    token.cancel()
  }

  // Row of FromLBPresenter: `@StateObject`, `@ObservedObject`
  @Test func `a variable holds the presenter, and its designs are observed`() async {
    let presenter: Lego<Laps> = Laps.lego()
    var designs = presenter.designs.makeAsyncIterator()
    #expect(await designs.next()?.count == 0)
    presenter.build(.increment)
    #expect(await designs.next()?.count == 1)
  }

  // Row of FromLBPresenter: `_printChanges()`
  @Test func `a log prints what a change changes`() {
    let lines = Collected<String>()
    let lego = Lego(
      .init(), blueprint: Laps(), enableLogs: true, logSink: LogSink { lines.append($0) })
    lego.build(.increment)
    #expect(lines.values.first?.contains("count: 0 → 1") == true)
  }

  // Row of FromLBPresenter: `View`, `body`, `Form`, `Text`, `Button`, `TextField`
  @Test func `a program draws the designs, and a key that is pressed builds a change`() async {
    let lego: Lego<Laps> = Laps.lego()
    let keys: [Character: Laps.Change] = ["+": .increment, "-": .decrement]
    for key in "++-x" { if let change = keys[key] { lego.build(change) } }
    for await design in lego.designs {
      #expect("Count = \(design.count)" == "Count = 1")
      break
    }
  }
}
