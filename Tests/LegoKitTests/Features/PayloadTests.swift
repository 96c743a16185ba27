import LegoKit
import LegoTesting
import Testing

/// A lamp that shines as bright as a gauge shows.
private struct Gauge: Blueprint {
  struct Design: Equatable, Sendable, Identifiable {
    var id = 0
    var value = 0.0
  }

  enum Change: Equatable, Sendable {
    case show(Double)
    case ask
  }

  func change(_ design: inout Design, on change: Change) {
    if case .show(let value) = change { design.value = value }
  }
}

/// A panel with gauges of which several cases have a payload of the same type.
private struct Panel: Blueprint {
  struct Design: Equatable, Sendable, Identifiable {
    var id = 0
    var left = Gauge.Design()
    var right = Gauge.Design()
    var extra: Gauge.Design?
    var row: [Gauge.Design] = []
    var named: [String: Gauge.Design] = [:]
    var path = Stack<Gauge.Design>()
    var modals = Presented<Gauge.Design>()

    /// The values of all gauges.
    var values: [Double] {
      var gauges = [left, right] + row
      gauges += named.values
      gauges += path
      if let extra { gauges.append(extra) }
      if let top = modals.top { gauges.append(top) }
      return gauges.map(\.value)
    }

    /// The gauge that a change is meant for.
    func gauge(of change: Change) -> Gauge.Design? {
      switch change {
      case .left: left
      case .right: right
      case .extra: extra
      case .row(let id, _): row.first { $0.id == id }
      case .named(let name, _): named[name]
      case .path(.screen(let id, _)): path[id: id]
      case .modals(.screen(let id, _)): modals[id: id]
      default: nil
      }
    }
  }

  enum Change: Equatable, Sendable, PayloadReadable {
    case left(Gauge.Change)
    case right(Gauge.Change)
    case extra(Gauge.Change)
    case row(Int, Gauge.Change)
    case column(Int, Gauge.Change)
    case named(name: String, change: Gauge.Change)
    case path(StackChange<Gauge>)
    case modals(PresentedChange<Gauge>)
    case hidden(Gauge.Change)
    case set(Design)
    case clear

    var payload: Any? {
      switch self {
      case .left(let change), .right(let change), .extra(let change): change
      case .row(let id, let change), .column(let id, let change): (id, change)
      case .named(let name, let change): (name, change)
      case .path(let change): change
      case .modals(let change): change
      case .hidden, .clear: nil
      case .set(let design): design
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .set(let new): design = new
    case .clear: design = Design(id: design.id)
    default: break
    }
  }

  static func feature(of gauge: Feature<Gauge> = Feature(Gauge())) -> Feature<Panel> {
    Feature(Panel())
      .part(\.left, .case(Change.left), gauge)
      .part(\.right, .case(Change.right), gauge)
      .optional(\.extra, .case(Change.extra), gauge)
      .each(\.row, .case(Change.row), gauge)
      .each(\.named, .case(Change.named), gauge)
      .stack(\.path, .case(Change.path), gauge)
      .presented(\.modals, .case(Change.modals), gauge)
  }
}

/// A wall of panels, the level above them.
private struct Wall: Blueprint {
  struct Design: Equatable, Sendable {
    var panels: [Panel.Design] = []
    var guest: Panel.Design?
  }

  enum Change: Equatable, Sendable, PayloadReadable {
    case panel(Int, Panel.Change)
    case guest(Panel.Change)

    var payload: Any? {
      switch self {
      case .panel(let id, let change): (id, change)
      case .guest(let change): change
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    if change == .guest(.clear) { design.guest = nil }
  }

  static func feature(of gauge: Feature<Gauge> = Feature(Gauge())) -> Feature<Wall> {
    Feature(Wall())
      .each(\.panels, .case(Change.panel), Panel.feature(of: gauge))
      .optional(\.guest, .case(Change.guest), Panel.feature(of: gauge))
  }
}

/// Answers each question of a gauge, when a gate has opened.
private func asking(_ gate: Gate) -> Feature<Gauge> {
  Feature(
    Gauge(),
    adaptors: [
      Answering { design, change in
        guard change == .ask else { return .none }
        return .run { send in
          await gate.pass()
          send(.show(Double(design.id)))
        }
      }
    ])
}

@Suite struct `A part that is found by its case` {
  private static let full = Panel.Design(
    extra: .init(id: 3), row: [.init(id: 1), .init(id: 2)], named: ["x": .init(id: 4)],
    path: [.init(id: 5)], modals: [.init(id: 6)])

  @Test(arguments: [
    Panel.Change.left(.show(9)), .right(.show(9)), .extra(.show(9)), .row(2, .show(9)),
    .named(name: "x", change: .show(9)), .path(.screen(5, .show(9))), .modals(.screen(6, .show(9))),
  ])
  private func `receives its changes, and no other part does`(change: Panel.Change) {
    let lego = Lego(Self.full, feature: Panel.feature())
    lego.build(change)
    #expect(lego.design.gauge(of: change)?.value == 9)
    #expect(lego.design.values.sorted() == [0, 0, 0, 0, 0, 0, 0, 9])
  }

  @Test(arguments: [Panel.Change.column(1, .show(9)), .hidden(.show(9))])
  private func `ignores a case that is not plugged in, though its payload has the same type`(
    change: Panel.Change
  ) async {
    let problems = await problems {
      let lego = Lego(Self.full, feature: Panel.feature())
      #expect(lego.build(change).number == 1)
      #expect(lego.design == Self.full)
    }
    #expect(problems == [])
  }

  @Test(arguments: [Panel.Change.row(9, .ask), .named(name: "y", change: .ask), .extra(.ask)])
  private func `is reported if it does not exist`(change: Panel.Change) async {
    let problems = await problems {
      let lego = Lego(.init(), feature: Panel.feature())
      #expect(lego.build(change).number == 0)
    }
    #expect(problems.count == 1)
    #expect(problems.first?.contains("a part that does not exist") == true)
  }

  @Test func `receives a value that differs from itself`() {
    let lego = Lego(Self.full, feature: Panel.feature())
    lego.build(.right(.show(.nan)))
    lego.build(.row(2, .show(.nan)))
    #expect(lego.design.left.value == 0)
    #expect(lego.design.right.value.isNaN)
    #expect(lego.design.row.map(\.value.isNaN) == [false, true])
  }

  @Test func `is reached through features around it`() async {
    let gate = Gate()
    gate.open()
    let lego = Lego(
      Wall.Design(panels: [Self.full], guest: Self.full), feature: Wall.feature(of: asking(gate)))
    lego.build(.panel(0, .row(2, .show(7))))
    lego.build(.guest(.named(name: "x", change: .show(8))))
    #expect(lego.design.panels[0].row.map(\.value) == [0, 7])
    #expect(lego.design.guest?.named["x"]?.value == 8)

    // The answer of a part comes back to the same part.
    await lego.build(.panel(0, .path(.screen(5, .ask)))).finished()
    await lego.build(.guest(.extra(.ask))).finished()
    #expect(lego.design.panels[0].path[0].value == 5)
    #expect(lego.design.guest?.extra?.value == 3)
    #expect(lego.design.panels[0].extra?.value == 0)
  }

  @Test func `ends its effects when it goes`() {
    let gate = Gate()
    let lego = Lego(
      Wall.Design(panels: [Self.full], guest: Self.full), feature: Wall.feature(of: asking(gate)))
    lego.build(.panel(0, .row(1, .ask)))
    lego.build(.panel(0, .left(.ask)))
    lego.build(.guest(.extra(.ask)))
    #expect(lego.effectCount == 3)
    lego.build(.guest(.clear))
    #expect(lego.design.guest == nil)
    #expect(lego.effectCount == 2)
    lego.build(.panel(0, .clear))
    #expect(lego.effectCount == 1)
    gate.open()
  }

  @Test func `is the same part as by a closure`() {
    let closures = Feature(Panel())
      .part(
        \.left, .case(Panel.Change.left) { if case .left(let it) = $0 { it } else { nil } },
        Feature(Gauge())
      )
      .each(
        \.row,
        .case(Panel.Change.row) { if case .row(let id, let it) = $0 { (id, it) } else { nil } },
        Feature(Gauge()))
    let cases = Feature(Panel())
      .part(\.left, .case(Panel.Change.left), Feature(Gauge()))
      .each(\.row, .case(Panel.Change.row), Feature(Gauge()))
    var changes: [Panel.Change] = [.set(Self.full)]
    for value in 0..<20 {
      let change = Gauge.Change.show(Double(value))
      changes += [.left(change), .right(change), .row(value % 4, change), .column(1, change)]
    }
    var (first, second) = (Panel.Design(), Panel.Design())
    for change in changes {
      closures.blueprint.change(&first, on: change)
      cases.blueprint.change(&second, on: change)
      #expect(first == second)
    }
    #expect(first.left.value == 19)
    #expect(first.row.map(\.value) == [17, 18])
  }
}
