import Foundation
import LegoKit
import Synchronization
import Testing

/// A blueprint whose changes have every shape that JSON has to carry.
struct Notes: Blueprint {
  struct Design: Equatable, Sendable {
    var texts: [String] = []
    var numbers: [Double] = []
    var total = 0
  }

  enum Change: Equatable, Sendable, Codable {
    case text(String)
    case numbers([Double?], exact: UInt64)
    case nested(Inner)
    case tree(Tree)
    case clear
  }

  /// A tree whose JSON nests three levels for each of its own.
  indirect enum Tree: Equatable, Sendable, Codable {
    case leaf
    case node([Tree])

    /// A tree of nodes below each other.
    init(depth: Int) {
      self = (0..<depth).reduce(.leaf) { tree, _ in .node([tree]) }
    }
  }

  struct Inner: Equatable, Sendable, Codable {
    var flag: Bool
    var names: [String: Int]
    var level: Level?
  }

  enum Level: String, Codable, Sendable { case low, high }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .text(let text): design.texts.append(text)
    case .numbers(let numbers, let exact):
      design.numbers += numbers.compactMap { $0 }
      design.total += Int(truncatingIfNeeded: exact)
    case .tree(let tree): if tree != .leaf { design.total += 1 }
    case .nested(let inner): design.total += inner.names.values.reduce(0, &+)
    case .clear: design = Design()
    }
  }
}

@Suite struct `A recording` {
  private static let changes: [Notes.Change] = [
    .text("plain"),
    .text("quotes \" and \\ and\nlines\t\u{1} and 😀 é"),
    .numbers([1.5, nil, -0.1, 1e300, .infinity], exact: .max),
    .nested(.init(flag: true, names: ["a": 1, "b": -2], level: .high)),
    .nested(.init(flag: false, names: [:], level: nil)),
    .clear,
    .text(""),
  ]

  @Test func `replays to the same designs, forward and back`() throws {
    let lines = Collected<String>()
    let lego = Lego(.init(), blueprint: Notes())
    let token = lego.record(to: LogSink { lines.append($0) })
    var designs = [lego.design]
    for change in Self.changes {
      lego.build(change)
      designs.append(lego.design)
    }
    token.cancel()
    lego.build(.text("not recorded"))

    var replay = try Replay(.init(), blueprint: Notes(), lines: lines.values)
    #expect(replay.changes == Self.changes)
    for design in designs {
      #expect(replay.design == design)
      replay.step()
    }
    for design in designs.reversed() {
      #expect(replay.design == design)
      replay.stepBack()
    }
  }

  private func record(_ change: Notes.Change) -> [String] {
    let lines = Collected<String>()
    let lego = Lego(.init(), blueprint: Notes())
    let token = lego.record(to: LogSink { lines.append($0) })
    lego.build(change)
    token.cancel()
    return lines.values
  }

  @Test(arguments: [1, 100])
  func `of a deep tree replays`(depth: Int) throws {
    let change = Notes.Change.tree(.init(depth: depth))
    let replay = try Replay(.init(), blueprint: Notes(), lines: record(change))
    #expect(replay.changes == [change])
  }

  @Test func `of a tree too deep to replay says so instead of a line that cannot be read`() {
    let lines = record(.tree(.init(depth: 1_000)))
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("not encoded: ") == true)
  }

  @Test func `goes anywhere in a long run`() {
    let changes = (0..<1_000).map { Counter.Change.add($0) }
    var replay = Replay(.init(), blueprint: Counter(), changes: changes)
    for position in [1_000, 3, 64, 63, 128, 999, 0, 500, 5_000, -1] {
      replay.go(to: position)
      let clamped = min(max(0, position), 1_000)
      #expect(replay.position == clamped)
      #expect(replay.design.count == clamped * (clamped - 1) / 2)
    }
    #expect(replay.finish().count == 499_500)
  }

  @Test(arguments: [
    "{", "[1,2", "{\"text\":{\"_0\":\"x\"}} more", "\"\\ud800\"", "{\"unknown\":{}}", "nul",
    "{\"text\":{\"_0\":1}}", String(repeating: "[", count: 100_000), "not encoded: \"x\"", "-",
    "{\"numbers\":{\"_0\":[01],\"exact\":1}}", "{\"text\":{\"_0\":\"a\",\"_0\":\"b\"}}",
    "{\"clear\":{},\"clear\":{}}",
  ])
  func `that is malformed is refused with its line`(line: String) {
    let error = #expect(throws: RecordingError.self) {
      try Replay(.init(), blueprint: Notes(), lines: ["{\"clear\":{}}", "", line])
    }
    #expect(error?.line == 3)
  }
}

@Suite struct `A trace` {
  @Test func `tells changes and effects in order`() async {
    let events = Collected<LegoEvent>()
    let effects = Effects { _, change in
      change == .add(1) ? .run(name: "work") { send in send(.label("done")) } : .none
    }
    let lego = Lego(
      .init(), blueprint: Counter(), adaptors: [effects], tracer: LegoTracer { events.append($0) })
    await lego.build(.add(1)).finished()
    #expect(events.values.contains(.applied(number: 1, root: 1, change: ".add(1)")))
    #expect(events.values.contains(.applied(number: 2, root: 1, change: ".label(\"done\")")))
    #expect(events.values.contains(.effectStarted(number: 1, root: 1, name: "work")))
    #expect(events.values.contains(.effectEnded(number: 1, isCancelled: false)))
  }

  @Test func `is a file that viewers open`() async throws {
    let lines = Collected<String>()
    let trace = TraceFile(process: "Counter", to: LogSink { lines.append($0) })
    let effects = Effects { _, change in change == .add(1) ? .run { _ in } : .none }
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [effects], tracer: trace.tracer)
    await lego.build(.add(1)).finished()
    trace.finish()
    // What comes after the end would spoil the file.
    trace.finish()
    lego.build(.add(2))
    let file = Data(lines.values.joined(separator: "\n").utf8)
    let entries = try #require(JSONSerialization.jsonObject(with: file) as? [[String: Any]])
    #expect(entries.compactMap { $0["ph"] as? String }.sorted() == ["M", "X", "b", "e"])
    #expect(lines.values.first == "[")
    #expect(lines.values.last == "]")
    // The format's own rules: a time and a duration in microseconds for a slice, an id and a
    // category for what overlaps, a process and arguments for everything.
    for entry in entries {
      #expect(entry["pid"] is Int && entry["args"] is [String: Any] && entry["name"] is String)
      switch entry["ph"] as? String {
      case "X": #expect(entry["ts"] is Int && entry["dur"] is Int && entry["tid"] is Int)
      case "b", "e":
        #expect(entry["ts"] is Int && entry["id"] is String && entry["cat"] is String)
      default: break
      }
    }
    #expect(lines.values.contains { $0.contains("\"ph\":\"X\"") && $0.contains(".add(1)") })
    #expect(lines.values.filter { $0.contains("\"cat\":\"effect\"") }.count == 2)
  }

  @Test func `reports a runaway echo with its cycle`() {
    let events = Collected<LegoEvent>()
    let problems = Collected<String>()
    withContractors {
      $0.problemSink = LogSink { problems.append($0) }
    } operation: {
      let answers = Answers { _, change in
        if !events.values.isEmpty { return .empty }
        return Just(change == .label("ping") ? .label("pong") : .label("ping"))
          .eraseToAnyPublisher()
      }
      let lego = Lego(
        .init(), blueprint: Counter(), adaptors: [answers],
        tracer: LegoTracer { event in
          if case .runaway = event {
            events.append(event)
          }
        }, runawayLimit: 1_000)
      lego.build(.label("ping"))
    }
    let cycle = [".label(\"ping\")", ".label(\"pong\")"]
    #expect(events.values.count == 1)
    #expect(
      events.values.first == .runaway(cycle: cycle)
        || events.values.first == .runaway(cycle: cycle.reversed()))
    #expect(problems.values.count == 1)
    #expect(problems.values.first?.contains("→") == true)
  }
}

@Suite struct `A difference` {
  struct Room: Equatable {
    var name: String
    var size: Int?
  }
  struct House: Equatable {
    var rooms: [Room]
    var owner: String?
    var tags: Set<String> = []
  }

  @Test func `names each part that differs`() {
    let old = House(rooms: [Room(name: "Hall", size: 1), Room(name: "Attic", size: nil)])
    let new = House(rooms: [Room(name: "Hall", size: 2)], owner: "Ada", tags: ["x"])
    let expected = """
      rooms[0].size: 1 → 2
      rooms[1]: Room(name: "Attic", size: nil) → (none)
      owner: nil → "Ada"
      tags: [] → ["x"]
      """
    #expect(Difference(from: old, to: new).description == expected)
    #expect(Difference(from: old, to: old).isEmpty)
  }
}
