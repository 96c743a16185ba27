import LegoKit
import Testing

/// The screens of a small camera program, of two kinds.
private enum Screen: Equatable, Sendable, Identifiable, PayloadReadable {
  case photo(Lamp.Design)
  case help(Lamp.Design)

  var id: Int {
    switch self {
    case .photo(let photo): photo.id
    case .help: -1
    }
  }
  var photo: Lamp.Design? { if case .photo(let photo) = self { photo } else { nil } }

  var payload: Any? {
    switch self {
    case .photo(let photo): photo
    case .help(let help): help
    }
  }
}

private enum ScreenChange: Equatable, Sendable, PayloadReadable {
  case photo(Lamp.Change)
  case help(Lamp.Change)

  var payload: Any? {
    switch self {
    case .photo(let change): change
    case .help(let change): change
    }
  }
}

private typealias Program = Flow<Lamp, Screens<Screen, ScreenChange>>

/// A flow whose photos and help light up by an effect that waits at a gate.
private func program(_ gate: Gate) -> Feature<Program> {
  let lamp = Feature(
    Lamp(),
    adaptors: [
      Answering<Lamp> { lamp, change in
        guard change == .light else { return .none }
        return .run { send in
          await gate.pass()
          send(.shine(lamp.id))
        }
      }
    ])
  let screens = Feature(Screens<Screen, ScreenChange>())
    .route(.case(Screen.photo), .case(ScreenChange.photo), lamp)
    .route(.case(Screen.help), .case(ScreenChange.help), lamp)
  return .flow(root: lamp, screens: screens) { change in
    switch change {
    case .root(.shine(let id)): .path(.push(.photo(.init(id: id))))
    case .root(.flicker): .modals(.present(.help(.init(id: 1))))
    case .path(.screen(let id, .photo(.off))): .path(.close(id))
    case .modals(.screen(_, .help(.off))): .modals(.dismissAll)
    default: nil
    }
  }
}

@Suite struct `A flow` {
  private static func path(_ id: Int, _ change: ScreenChange) -> Program.Change {
    .path(.screen(id, change))
  }

  @Test func `is a feature in one line, which opens and closes its screens`() {
    let lego = Lego(Program.Design(root: .init(id: 0)), feature: program(Gate()))
    lego.build(.root(.shine(7)))
    lego.build(.root(.shine(8)))
    lego.build(.root(.shine(7)))
    #expect(lego.design.path.map(\.id) == [7, 8])
    lego.build(Self.path(8, .photo(.shine(3))))
    #expect(lego.design.path.top?.photo?.level == 3)
    lego.build(Self.path(7, .photo(.off)))
    #expect(lego.design.path.isEmpty)
    lego.build(.root(.flicker))
    lego.build(.root(.flicker))
    #expect(lego.design.modals.count == 1)
    lego.build(.modals(.screen(-1, .help(.off))))
    #expect(lego.design.modals.isEmpty)
  }

  @Test func `ends the effects of a screen that becomes another kind`() async {
    let gate = Gate()
    let lego = Lego(
      Program.Design(root: .init(id: 0), path: [.help(.init(id: 1)), .photo(.init(id: 2))]),
      feature: program(gate))
    let builds = [
      lego.build(Self.path(-1, .help(.light))), lego.build(Self.path(2, .photo(.light))),
      lego.build(.root(.light)),
    ]
    #expect(lego.effectCount == 3)
    // A path whose lowest screen has the id that the help had, and is a photo.
    lego.build(.path(.move(.set([.photo(.init(id: -1)), .photo(.init(id: 2))]))))
    #expect(lego.effectCount == 2)
    gate.open()
    for build in builds { await build.finished() }
    // The root has opened a third one.
    #expect(lego.design.path.map(\.photo?.level) == [0, 2, 0])
  }

  @Test func `reports a change of a kind that its screen is not`() async {
    let problems = await problems {
      let lego = Lego(
        Program.Design(root: .init(id: 0), path: [.photo(.init(id: 1))]), feature: program(Gate()))
      #expect(lego.build(Self.path(1, .help(.off))).number == 0)
    }
    #expect(problems.count == 1)
  }
}

@Suite struct `Two kinds of parts at one place` {
  /// A house with two kinds of screens at one place.
  private struct Hut: Blueprint {
    enum Design: Equatable, Sendable, PayloadReadable {
      case day(Lamp.Design)
      case night(Lamp.Design)

      var night: Lamp.Design? { if case .night(let lamp) = self { lamp } else { nil } }
      var payload: Any? {
        switch self {
        case .day(let lamp): lamp
        case .night(let lamp): lamp
        }
      }
    }

    enum Change: Equatable, Sendable, PayloadReadable {
      case day(Lamp.Change)
      case night(Lamp.Change)
      case set(Design)

      var payload: Any? {
        switch self {
        case .day(let change): change
        case .night(let change): change
        case .set: nil
        }
      }
    }

    func change(_ design: inout Design, on change: Change) {
      if case .set(let new) = change { design = new }
    }
  }

  @Test func `have effects of their own`() async {
    let gate = Gate()
    let lamp = Feature(
      Lamp(),
      adaptors: [
        Answering<Lamp> { _, change in
          guard change == .light else { return .none }
          return .run { send in
            await gate.pass()
            send(.shine(9))
          }.id("light")
        }
      ])
    let lego = Lego(
      .day(.init(id: 1)),
      feature: Feature(Hut())
        .optional(\.self, case: .case(Hut.Design.day), .case(Hut.Change.day), lamp)
        .optional(
          \.self, case: .case(Hut.Design.night), .case(Hut.Change.night), lamp))
    lego.build(.day(.light))
    #expect(lego.effectCount == 1)
    lego.build(.set(.night(.init(id: 1))))
    #expect(lego.effectCount == 0)
    let build = lego.build(.night(.light))
    #expect(lego.effectCount == 1)
    gate.open()
    await build.finished()
    #expect(lego.design.night?.level == 9)
  }
}
