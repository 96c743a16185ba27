import LegoKit
import RaceRounds
import Synchronization
import Testing

/// A guest, who has come for the so manieth time, and says so by effects.
private struct Guest: Blueprint {
  struct Design: Equatable, Sendable, Identifiable {
    let id: Int
    let visit: Int
    var isMistaken = false
  }

  enum Change: Equatable, Sendable {
    case speak
    case said(Int)
  }

  func change(_ design: inout Design, on change: Change) {
    if case .said(let visit) = change, visit != design.visit { design.isMistaken = true }
  }
}

/// An inn, whose guest comes and goes.
private struct Inn: Blueprint {
  struct Design: Equatable, Sendable {
    var guests: [Guest.Design] = []
    var wasMistaken = false
    var mistakes: Int { (wasMistaken ? 1 : 0) + guests.count { $0.isMistaken } }
  }

  enum Change: Equatable, Sendable, PayloadReadable {
    case come(Int)
    case go
    case guest(Int, Guest.Change)

    var payload: Any? {
      switch self {
      case .guest(let id, let change): (id, change)
      case .come, .go: nil
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .come(let visit): design.guests = [.init(id: 1, visit: visit)]
    case .go:
      if design.mistakes > 0 { design.wasMistaken = true }
      design.guests = []
    case .guest: break
    }
  }
}

@Suite struct `A part that goes while others build` {
  private static func inn(
    _ answer: @escaping @Sendable (Guest.Design) -> Effect<Guest.Change>
  ) -> Lego<Inn> {
    let guest = Feature(
      Guest(),
      adaptors: [
        Answering<Guest> { guest, change in change == .speak ? answer(guest) : .none }
      ])
    return Lego(
      .init(), feature: Feature(Inn()).each(\.guests, .case(Inn.Change.guest), guest))
  }

  private static func race(_ lego: Lego<Inn>, rounds: Int) async {
    await withContractors {
      $0.problemSink = LogSink { _ in }
    } operation: {
      await withTaskGroup { group in
        group.addTask {
          for visit in 0..<rounds {
            lego.build(.come(visit))
            lego.build(.go)
          }
        }
        group.addTask { for _ in 0..<rounds { lego.build(.guest(1, .speak)) } }
      }
    }
    lego.build(.go)
    #expect(lego.design.mistakes == 0)
  }

  @Test func `gets nothing that one before it sends at once`() async {
    let lego = Self.inn { guest in .merge(.send(.said(guest.visit)), .send(.said(guest.visit))) }
    await Self.race(lego, rounds: raceRounds(20_000))
    #expect(lego.effectCount == 0)
  }

  @Test func `gets nothing that one before it publishes`() async {
    let lego = Self.inn { guest in
      let said = Guest.Change.said(guest.visit)
      return .concatenate(.publisher([said, said].publisher), .send(said)).id("say")
    }
    await Self.race(lego, rounds: raceRounds(20_000))
    #expect(lego.effectCount == 0)
  }

  @Test func `gets nothing that a task of one before it sends`() async {
    let lego = Self.inn { guest in
      .run { send in
        await Task.yield()
        send(.said(guest.visit))
      }
      .id("say", policy: .runOldest(.suspend, limit: 2))
    }
    await Self.race(lego, rounds: raceRounds(3_000))
    #expect(lego.effectCount == 0)
  }

  @Test func `gets nothing that a subject tells those before it`() async {
    let subject = PassthroughSubject<Int, Never>()
    let lego = Self.inn { guest in .publisher(subject.map { _ in .said(guest.visit) }) }
    let telling = Task.detached {
      while !Task.isCancelled {
        subject.send(0)
        await Task.yield()
      }
    }
    await Self.race(lego, rounds: raceRounds(3_000))
    telling.cancel()
    await telling.value
    #expect(lego.effectCount == 0)
  }
}
