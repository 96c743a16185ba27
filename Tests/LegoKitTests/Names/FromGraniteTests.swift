import Foundation
import LegoKit
import LegoTesting
import Testing

// A weather station in the words of Granite: a component with a center, a state and reducers.

private struct StationCenter: Blueprint {
  struct State: Equatable, Sendable {
    var query = ""
    var isEditing = false
    var log: [String] = []
  }

  typealias Design = State

  struct Meta: Equatable, Sendable {
    var degrees: Int
  }

  enum Change: Equatable, Sendable {
    case edit(String)
    case ask
    case prepare
    case measured(Meta)
    case store
    case appear
  }

  func change(_ state: inout State, on change: Change) {
    switch change {
    case .edit(let text):
      state.query = text
      state.isEditing = true
    case .ask:
      state.query = ""
      state.isEditing = false
    case .prepare: state.log.append("prepare")
    case .measured(let meta):
      self.change(&state, on: .prepare)
      state.log.append("\(meta.degrees) °C")
      self.change(&state, on: .store)
    case .store: state.log.append("store after \(state.log.last ?? "nothing")")
    case .appear: state.log.append("appear")
    }
  }
}

private func component() -> Feature<StationCenter> {
  Feature(StationCenter(), adaptors: [LifecycleAdaptor(started: .appear)])
}

private func station() -> Lego<StationCenter> { Lego(.init(), blueprint: StationCenter()) }

@Suite(.timeLimit(.minutes(5))) struct `The names of Granite: components and reducers` {
  // Row of FromGranite: `GraniteComponent`
  @Test func `a component is a feature, alone or as a part`() async {
    struct Two: Blueprint {
      struct Design: Equatable, Sendable {
        var east = StationCenter.State()
        var west = StationCenter.State()
      }
      enum Change: Equatable, Sendable, PayloadReadable {
        case east(StationCenter.Change)
        case west(StationCenter.Change)

        var payload: Any? {
          switch self {
          case .east(let it): it
          case .west(let it): it
          }
        }
      }
      func change(_ design: inout Design, on change: Change) {}
    }
    let part: Feature<StationCenter> = component()
    let alone = Lego(.init(), feature: part)
    #expect(await alone.observe(\.log).first { !$0.isEmpty } == ["appear"])
    let both = Feature(Two())
      .part(\.east, .case(Two.Change.east), part)
      .part(\.west, .case(Two.Change.west), part)
    let lego = Lego(.init(), feature: both)
    _ = await lego.designs.first { !$0.east.log.isEmpty && !$0.west.log.isEmpty }
    lego.build(.west(.edit("wind")))
    #expect(lego.design.east.query == "" && lego.design.west.query == "wind")
  }

  // Row of FromGranite: `GraniteCommand`, `@Command`, `center` of a component
  @Test func `a center in use is a lego`() {
    let center: Lego<StationCenter> = Lego(.init(), feature: component())
    center.build(.edit("wind"))
    #expect(center.design.query == "wind")
  }

  // Row of FromGranite: `GraniteCenter`, `Center`
  @Test func `a center is a blueprint`() {
    func state<Center: Blueprint>(
      of center: Center, _ state: Center.Design, _ change: Center.Change
    ) -> Center.Design {
      var state = state
      center.change(&state, on: change)
      return state
    }
    #expect(state(of: StationCenter(), .init(), .prepare).log == ["prepare"])
  }

  // Row of FromGranite: `GraniteState`, `State`, `@Store`
  @Test func `a state is the design of its blueprint`() {
    func state<Center: Blueprint>(of _: Center.Type) -> Center.Design.Type { Center.Design.self }
    #expect(state(of: StationCenter.self) == StationCenter.State.self)
  }

  // Row of FromGranite: `center.state`
  @Test func `the state of a center is its design`() {
    let center: Lego<StationCenter> = station()
    #expect(center.design == .init())
    center.build(.edit("wind"))
    #expect(center.design == .init(query: "wind", isEditing: true))
  }

  // Row of FromGranite: `center.$state.binding`, `value`, `wrappedValue`
  @Test func `a state is bound by a glue`() {
    let center = station()
    let query: Glue<String> = center.glue(\.query, change: StationCenter.Change.edit)
    query.wrappedValue = "wind"
    #expect(query.wrappedValue == "wind" && center.design.isEditing)
  }

  // Row of FromGranite: `@SharedObject`, `SessionManager.id`
  @Test func `an object that is shared is found among the contractors`() {
    struct Mount: Sendable {
      @Contractor(\.session) var session
    }
    withContractors {
      $0.session = station()
    } operation: {
      let mounts = [Mount(), Mount()]
      #expect(mounts[0].session === mounts[1].session)
      let session: Lego<StationCenter> = Contractors().session
      session.build(.edit("wind"))
      func isSendable(_: some Sendable) -> Bool { true }
      #expect(isSendable(session) && mounts[1].session.design.query == "wind")
    }
  }

  // Row of FromGranite: `view`, `body`, `View`, `VStack`, `ZStack`, `GraniteUI`
  @Test func `a program draws each design`() async {
    let center: Lego<StationCenter> = station()
    center.build(.edit("wind"))
    for await state in center.designs {
      #expect("> \(state.query)\(state.isEditing ? "_" : "")" == "> wind_")
      break
    }
  }

  // Row of FromGranite: the directory of a component
  @Test func `a component begins as a folder with a blueprint and an adaptor`() throws {
    let arguments = try #require(try Arguments(["feature", "Station"]))
    let files = arguments.feature(in: .example).map(\.url.path)
    #expect(
      files == [
        "/package/Sources/App/Station/StationBlueprint.swift",
        "/package/Sources/App/Station/StationAdaptor.swift",
        "/package/Tests/AppTests/StationTests.swift",
      ])
    #expect(Arguments.help.contains("swift package lego feature"))
  }

  // Row of FromGranite: `GraniteReducer`, `Reducer`, `reduce(state:)`
  @Test func `a reducer is what a blueprint does for a case of its change`() {
    func reduce<B: Blueprint>(_ state: inout B.Design, by change: B.Change, of blueprint: B) {
      blueprint.change(&state, on: change)
    }
    var state = StationCenter.State(query: "wind", isEditing: true)
    reduce(&state, by: StationCenter.Change.ask, of: StationCenter())
    #expect(state == .init())
  }

  // Row of FromGranite: `@Event`, `send()` of an event
  @Test func `an event is sent by a build`() {
    let center: Lego<StationCenter> = station()
    center.build(.prepare)
    #expect(center.design.log == ["prepare"])
  }

  // Row of FromGranite: `GranitePayload`, `@Payload`, `send(_:)` with a payload
  @Test func `a payload is the associated value of a change`() {
    let center = station()
    center.build(.measured(.init(degrees: 21)))
    #expect(center.design.log.contains("21 °C"))
  }

  // Row of FromGranite: `typealias Payload`, `reduce(state:payload:)`
  @Test func `a payload is there where its case is handled`() {
    func degrees(of change: StationCenter.Change) -> Int? {
      switch change {
      case .measured(let payload): payload.degrees
      default: nil
      }
    }
    #expect(degrees(of: .measured(.init(degrees: 21))) == 21)
    #expect(degrees(of: .ask) == nil)
  }

  /// The designs that one change makes.
  private static func steps(of change: StationCenter.Change) -> [[String]] {
    let center = station()
    let steps = Collected<[String]>()
    let token = center.onDesignChange { steps.append($0.log) }
    center.build(change)
    token.cancel()
    return steps.values
  }

  // Row of FromGranite: `@Event(.before)`
  @Test func `what is forwarded before is in the state already, in the same step`() {
    let steps = Self.steps(of: .measured(.init(degrees: 21)))
    #expect(steps.map { $0.prefix(2) } == [["prepare", "21 °C"]])
  }

  // Row of FromGranite: `@Event(.after)`
  @Test func `what is forwarded after sees the state, in the same step`() {
    let steps = Self.steps(of: .measured(.init(degrees: 21)))
    #expect(steps.map(\.last) == ["store after 21 °C"])
  }

  // Row of FromGranite: nested reducers that are `async`, and their order
  @Test func `changes that effects send have one order`() async {
    final class Nesting: Adaptor<StationCenter> {
      override func effect(
        _ state: StationCenter.State, on change: StationCenter.Change
      ) -> Effect<StationCenter.Change> {
        guard change == .ask else { return .none }
        return .concatenate(
          .send(.prepare),
          .run(priority: nil, name: "measure", executor: nil) { send in
            await Task.yield()
            send(.measured(.init(degrees: 3)))
          }, .send(.appear))
      }
    }
    let center = Lego(.init(), blueprint: StationCenter(), adaptors: [Nesting()])
    await center.build(.ask).finished()
    #expect(
      center.design.log == ["prepare", "prepare", "3 °C", "store after 3 °C", "appear"])
  }

  // Row of FromGranite: `@Event(.onAppear)`, `onAppear`
  @Test func `a change is sent when the store starts`() async {
    let center = Lego(
      .init(), blueprint: StationCenter(), adaptors: [LifecycleAdaptor(started: .appear)])
    #expect(await center.observe(\.log).first { !$0.isEmpty } == ["appear"])
  }

  // Row of FromGranite: the idea of a Signal
  @Test func `each change can be listened to, with nothing missed`() async {
    let center: Lego<StationCenter> = station()
    var changes = center.changes.makeAsyncIterator()
    for text in ["a", "b"] { center.build(.edit(text)) }
    #expect(await changes.next() == .edit("a"))
    #expect(await changes.next() == .edit("b"))
  }

  // Row of FromGranite: the XCTemplate of a component and a reducer
  @Test func `a component is written by the plugin`() throws {
    #expect(Arguments.help.contains("swift package lego feature"))
    let arguments = try #require(try Arguments(["feature", "Station"]))
    let text = try #require(arguments.feature(in: .example).first?.text)
    #expect(text.contains("func change(_ design: inout Design, on change: Change)"))
  }

  // Row of FromGranite: the XCTemplate of a relay
  @Test func `a service is written by the plugin`() throws {
    let line = Arguments.help.split(separator: "\n").first
    #expect(line?.hasPrefix("Usage: swift package lego feature|service") == true)
    let arguments = try #require(try Arguments(["service", "Weather"]))
    let text = try #require(arguments.service(in: .example).first?.text)
    #expect(text.contains("struct WeatherService: Service"))
  }
}

private enum SessionService: Service {
  static let contractor = station()
  static let testContractor: Lego<StationCenter>? = nil
}

extension Contractors {
  fileprivate var session: Lego<StationCenter> {
    get { Self[SessionService.self] }
    set { Self[SessionService.self] = newValue }
  }
}
