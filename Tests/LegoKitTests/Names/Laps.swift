import LegoKit

// A lap counter with a timer: a state, actions, a reducer and effects.

struct Laps: Blueprint {
  struct Design: Equatable, Sendable {
    var count = 0
    var path: Stack<Lap> = []
  }

  struct Lap: Identifiable, Equatable, Sendable {
    let id: Int
  }

  enum Change: Equatable, Sendable {
    case increment, decrement
    case start, stop
    case sleep
    case log([String])
  }

  enum TimerID { case timer }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .increment: design.count += 1
    case .decrement: design.count -= 1
    case .start, .stop, .sleep, .log: break
    }
  }
}

/// Counts after a second of the clock, until it is stopped.
final class LapEffects: Adaptor<Laps> {
  override func effect(_ design: Laps.Design, on change: Laps.Change) -> Effect<Laps.Change> {
    switch change {
    case .start:
      .run { send in
        do {
          try await Contractors().clock.sleep(for: .seconds(1))
          send(.increment)
        } catch {
          send(.decrement)  // Ignored: the effect was cancelled.
        }
      }
      .id(Laps.TimerID.timer)
    case .stop: .cancel(id: Laps.TimerID.timer)
    default: .none
    }
  }
}

extension Laps {
  static func lego() -> Lego<Laps> {
    Lego(.init(), blueprint: Laps(), adaptors: [LapEffects()])
  }
}
