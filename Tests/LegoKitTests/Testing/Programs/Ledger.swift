import LegoKit

/// A blueprint whose design tells in which order its changes came, and whose rooms come and go.
struct Ledger: Blueprint {
  struct Design: Equatable, Sendable {
    var level = 0
    var order = 0
    var rooms = [LedgerRoom.Design(id: 0), LedgerRoom.Design(id: 1)]
  }

  enum Change: Equatable, Sendable, PayloadReadable {
    case step(Int)
    case room(Int, LedgerRoom.Change)

    /// The change of a number, which is one of the whole or of a room.
    static func numbered(_ number: Int) -> Change {
      [2, 5, 6].contains(number % 7) ? .room(number % 2, .step(number)) : .step(number)
    }

    var payload: Any? {
      switch self {
      case .room(let id, let change): (id, change)
      case .step: nil
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .step(let number):
      design.order = design.order &* 31 &+ number + 1
      if number % 5 == 0 { design.level = number }
      let id = number / 4 % 2
      switch number % 4 {
      case 0 where !design.rooms.contains { $0.id == id }: design.rooms.append(.init(id: id))
      case 3: design.rooms.removeAll { $0.id == id }
      default: break
      }
    case .room(let id, _):
      design.order = design.order &* 31 &+ 100 + id
    }
  }
}

/// A room of a ledger, which is one itself.
struct LedgerRoom: Blueprint {
  struct Design: Equatable, Sendable, Identifiable {
    var id: Int
    var level = 0
    var order = 0
  }

  enum Change: Equatable, Sendable {
    case step(Int)
  }

  func change(_ design: inout Design, on change: Change) {
    guard case .step(let number) = change else { return }
    design.order = design.order &* 31 &+ number + 1
    if number % 5 == 0 { design.level = number }
  }
}
