import RaceRounds
import Synchronization
import Testing

@testable import LegoKit

/// A counter that may go, in a store without parts.
private struct Pair: Blueprint {
  struct Design: Equatable, Sendable { var left: Counter.Design? = .init() }

  func change(_ design: inout Design, on change: Counter.Change) {
    guard var left = design.left else { return }
    Counter().change(&left, on: change)
    design.left = left
  }
}

@Suite struct `A scope of a part that may go` {
  private typealias Change = House.Change
  private static let design = House.Design(
    rooms: [.init(id: 1, lamps: [.init(id: 7)]), .init(id: 2)], cellars: ["wine": .init(id: 3)],
    sheet: .init(id: 5), counter: .init(), screen: .lamp(.init(id: 6)))

  private static func lego() -> Lego<House> { Lego(design, feature: House.feature()) }

  @Test func `shows the part, builds its changes and tells of them`() async throws {
    let lego = Self.lego()
    let room = try #require(lego.scope(\.rooms, id: 2, change: Change.room))
    let told = Collected<String>()
    let tokens = [
      room.observe(\.name) { told.append($0) },
      room.onDesignChange { told.append("all \($0.name)") },
    ]
    var names = room.observe(\.name).makeAsyncIterator()
    #expect(await names.next() == "")
    room.build(.name("Bath"))
    lego.build(.room(1, .name("Hall")))
    #expect(await names.next() == "Bath")
    #expect(room.design.name == "Bath")
    #expect(told.values == ["Bath", "all Bath"])
    let glue = room.glue(\.name, change: { .name($0) })
    glue.wrappedValue = "Kitchen"
    #expect(lego.design.rooms[1].name == "Kitchen")
    withExtendedLifetime(tokens) {}
  }

  @Test func `costs a store nothing more when it is over`() {
    let pair = Lego(.init(), blueprint: Pair())
    var left = pair.scope(presented: \.left, change: { $0 })
    pair.build(.add(1))
    #expect(pair.state.withLock { $0.hasDependents })
    #expect(left?.design.count == 1)
    left = nil
    pair.build(.add(1))
    #expect(!pair.state.withLock { $0.hasDependents })
    #expect(pair.design.left?.count == 2)
  }

  @Test func `is none where there is no part`() {
    let lego = Lego(House.Design(), feature: House.feature())
    #expect(lego.scope(\.rooms, id: 1, change: Change.room) == nil)
    #expect(lego.scope(\.cellars, id: "wine", change: Change.cellar) == nil)
    #expect(lego.scope(presented: \.sheet, change: Change.sheet) == nil)
    #expect(lego.scope(presented: \.counter, change: Change.counter) == nil)
    #expect(lego.scope(\.screen, case: \.lamp, change: Change.screen) == nil)
  }

  /// Checks that a scope has ended, and stays so when its part comes again.
  private static func check<Part, PartChange>(
    _ scope: LegoScope<Part, PartChange>?, _ change: PartChange,
    in lego: Lego<House>, leaving empty: House.Design = .init()
  ) async throws {
    let scope = try #require(scope)
    let last = scope.design
    var designs = scope.designs.makeAsyncIterator()
    #expect(await designs.next() == last)
    let told = Collected<Part>()
    let token = scope.onDesignChange { told.append($0) }
    let problems = await problems {
      // A store has the sink that was in force where it was made, unless the builder has one.
      lego.build(.set(empty))
      #expect(scope.build(change).number == 0)
      await scope.build(change).finished()
    }
    #expect(problems.count == 2)
    #expect(problems.allSatisfy { $0.contains("a part that has gone") })
    #expect(lego.design == empty)
    lego.build(.set(Self.design))
    _ = await Self.quiet { scope.build(change) }
    #expect(lego.design == Self.design)
    #expect(scope.design == last)
    #expect(await designs.next() == nil)
    var late = scope.designs.makeAsyncIterator()
    #expect(await late.next() == nil)
    #expect(told.values == [])
    token.cancel()
  }

  private static func quiet<Result: Sendable>(
    _ body: @Sendable () async -> Result
  ) async -> Result {
    await withContractors {
      $0.problemSink = LogSink { _ in }
    } operation: {
      await body()
    }
  }

  @Test func `ends with the element it is of`() async throws {
    let lego = Self.lego()
    try await Self.check(lego.scope(\.rooms, id: 2, change: Change.room), .name("late"), in: lego)
  }

  @Test func `ends with the value of a dictionary`() async throws {
    let lego = Self.lego()
    let cellar = lego.scope(\.cellars, id: "wine", change: Change.cellar)
    try await Self.check(cellar, .name("late"), in: lego)
  }

  @Test func `ends with what an optional holds`() async throws {
    let lego = Self.lego()
    try await Self.check(
      lego.scope(presented: \.counter, change: Change.counter), .add(1), in: lego)
  }

  @Test func `ends when another takes its place`() async throws {
    let lego = Self.lego()
    try await Self.check(
      lego.scope(presented: \.sheet, change: Change.sheet), .shine(1), in: lego,
      leaving: .init(sheet: .init(id: 50), screen: .lamp(.init(id: 60))))
    try await Self.check(
      lego.scope(\.screen, case: \.lamp, change: Change.screen), .shine(1), in: lego,
      leaving: .init(sheet: .init(id: 50), screen: .lamp(.init(id: 60))))
  }

  @Test func `ends with what is around it`() async throws {
    let lego = Self.lego()
    let room = try #require(lego.scope(\.rooms, id: 1, change: Change.room))
    try await Self.check(
      room.scope(\.lamps, id: 7, change: Room.Change.lamp), .shine(1), in: lego)
    // The scope stays ended, although a room with the same ID has appeared.
    #expect(room.scope(\.lamps, id: 7, change: Room.Change.lamp) == nil)
    #expect(room.scope(\.name, change: { (change: String) in .name(change) }).design == "")
  }

  @Test func `shows what it was last`() throws {
    let lego = Self.lego()
    let room = try #require(lego.scope(\.rooms, id: 1, change: Change.room))
    let name = room.scope(\.name, change: { (change: String) in .name(change) })
    lego.build(.room(1, .name("Hall")))
    lego.build(.room(1, .name("gone")))
    #expect(room.design.name == "Hall")
    #expect(name.design == "Hall")
    #expect(lego.design.rooms.map(\.id) == [2])
  }

  @Test func `keeps nothing of itself in the store`() throws {
    final class Marker: Sendable {}
    let lego = Self.lego()
    weak var kept: Marker?
    do {
      let marker = Marker()
      kept = marker
      let send: @Sendable (Int, Room.Change) -> Change = { id, change in
        _ = marker
        return .room(id, change)
      }
      let room = try #require(lego.scope(\.rooms, id: 1, change: send))
      room.build(.name("x"))
    }
    #expect(kept == nil)
    lego.build(.room(1, .search))
  }

  @Test func `lets no late build through to another part, with two threads`() async {
    let lego = Lego(House.Design(), feature: House.feature())
    await Self.quiet {
      await withTaskGroup { group in
        group.addTask {
          for visit in 1...raceRounds(20_000) {
            lego.build(.set(.init(rooms: [.init(id: 1, changes: visit)])))
            lego.build(.set(.init()))
          }
        }
        group.addTask {
          for _ in 1...raceRounds(20_000) {
            guard let room = lego.scope(\.rooms, id: 1, change: Change.room) else { continue }
            let visit = room.design.changes
            room.build(.name("\(visit)"))
            let design = room.design
            #expect(design.changes == visit && ["", "\(visit)"].contains(design.name))
          }
        }
        group.addTask {
          for _ in 1...raceRounds(20_000) {
            // A room with a name has the name of the last visit.
            for room in lego.design.rooms where !room.name.isEmpty {
              #expect(room.name == "\(room.changes)")
            }
          }
        }
      }
    }
  }
}
