import LegoKit
import LegoTesting
import Testing

// Every example of the documentation, as it stands there. `DocumentationTests` compares the two.

enum OverviewExample {
  struct LampBlueprint: Blueprint {
    struct Design: Equatable, Sendable {
      var isOn = false
    }

    enum Change: Equatable, Sendable {
      case toggle
    }

    func change(_ design: inout Design, on change: Change) {
      switch change {
      case .toggle: design.isOn.toggle()
      }
    }
  }

  static func run() -> Bool {
    let lego = Lego(.init(), blueprint: LampBlueprint())
    let token = lego.onDesignChange { design in print(design.isOn) }
    lego.build(.toggle)
    token.cancel()
    return lego.design.isOn
  }
}

enum EffectExamples {
  final class Echo: Adaptor<Counter> {
    override func connect(
      _ design: Counter.Design, on change: Counter.Change
    ) -> AnyPublisher<Counter.Change, Never> {
      guard change == .nothing else { return .empty }
      return Just(.add(1)).eraseToAnyPublisher()
    }
  }

  final class Fetch: Adaptor<Counter> {
    override func effect(
      _ design: Counter.Design, on change: Counter.Change
    ) -> Effect<Counter.Change> {
      switch change {
      case .label(let text):
        .run { send in send(.add(text.count)) }.id("fetch", policy: .runNewest())
      case .nothing: .cancel(id: "fetch")
      default: .none
      }
    }
  }

  final class Watch: Adaptor<Counter> {
    override var follows: [Follow<Counter>] {
      [
        Follow(\.label) { label in
          label.isEmpty ? .none : .run { send in send(.add(label.count)) }
        }
      ]
    }
  }
}

struct Weather: Service {
  static let contractor = Weather(report: { "sunny" })
  var report: @Sendable () async -> String
}

extension Contractors {
  var weather: Weather {
    get { Self[Weather.Value.self] }
    set { Self[Weather.Value.self] = newValue }
  }
}

final class Forecast: Adaptor<Counter> {
  @Contractor(\.weather) private var weather: Weather

  override func effect(
    _ design: Counter.Design, on change: Counter.Change
  ) -> Effect<Counter.Change> {
    guard change == .nothing else { return .none }
    return .run { [weather] send in send(.label(await weather.report())) }
  }
}

final class Later: Adaptor<Counter> {
  override func effect(
    _ design: Counter.Design, on change: Counter.Change
  ) -> Effect<Counter.Change> {
    change == .nothing ? Effect.send(.add(1)).delay(for: .seconds(5)) : .none
  }
}

@Suite struct `The examples of the documentation` {
  @Test func `the overview`() {
    #expect(OverviewExample.run())
  }

  @Test func `an observer that builds`() {
    let lego = Lego(.init(), blueprint: Counter())
    let token = lego.onDesignChange { design in
      if design.count < 4 { lego.build(.add(1)) }
    }
    lego.build(.add(1))
    #expect(lego.design.count == 4)
    token.cancel()
  }

  @Test func `adaptors of both forms`() async {
    let lego = Lego(
      .init(), blueprint: Counter(), adaptors: [EffectExamples.Echo(), EffectExamples.Fetch()])
    await lego.build(.add(1)).finished()
    await lego.build(.label("four")).finished()
    lego.build(.nothing)
    #expect(lego.design.count == 6)
    let watched = Lego(
      .init(label: "abc"), blueprint: Counter(), adaptors: [EffectExamples.Watch()])
    while watched.effectCount > 0 { await Task.yield() }
    #expect(watched.design.count == 3)
  }

  @Test(.contractors { $0.weather = Weather(report: { "rain" }) })
  func `shows the weather`() async {
    #expect(await Contractors().weather.report() == "rain")
  }

  @Test(.contractors { $0.weather = Weather(report: { "rain" }) })
  func `an adaptor with a service`() async {
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [Forecast()])
    await lego.build(.nothing).finished()
    #expect(lego.design.label == "rain")
  }

  @Test func `asks for the camera`() async {
    let lego = TestLego(.init(), blueprint: AppBlueprint(), adaptors: [PermissionsAdaptor()])
    lego.build(.permission(.requestCameraAccess)) { $0.permission.cameraRequests = 1 }
    await lego.receive(.permission(.cameraAccess(.authorized))) {
      $0.permission.camera = .authorized
    }
    await lego.finish()
  }

  @Test func `a test clock`() async {
    let clock = TestClock()
    await withContractors {
      $0.clock = clock
    } operation: {
      let lego = Lego(.init(), blueprint: Counter(), adaptors: [Later()])
      let build = lego.build(.nothing)
      await clock.waitForSleepers()
      await clock.advance(by: .seconds(5))
      await build.finished()
      #expect(lego.design.count == 1)
    }
  }

  @Test func `a recording`() throws {
    let lego = Lego(.init(), blueprint: Notes())
    let lines = Collected<String>()
    let recording = lego.record(to: LogSink { lines.append($0) })
    lego.build(.text("hello"))
    recording.cancel()

    var replay = try Replay(.init(), blueprint: Notes(), lines: lines.values)
    replay.step()
    replay.stepBack()
    #expect(replay.design == .init())
  }

  @Test func `a scope`() {
    let lego = Lego(.init(), blueprint: AppBlueprint())
    let house = lego.scope(\.house, change: { .house($0) })
    house.build(.name("Home"))
    #expect(house.design.name == "Home")
  }

  @Test func `the store under test`() async {
    let lego = TestLego(.init(), blueprint: Counter())
    lego.build(.add(2)) { $0.count = 2 }
    await lego.finish()
  }

  @Test func `a future`() {
    let future = Future<Int, Never> { promise in
      promise(.success(7))
    }
    let token =
      future
      .map { $0 * 6 }
      .filter { $0 > 0 }
      .sink { print($0) }
    token.cancel()
  }
}
