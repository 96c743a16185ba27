import LegoKeeping
import LegoKit

/// What the tests keep.
struct Notes: Blueprint {
  struct Design: Codable, Equatable, Sendable {
    var text = ""
    var count = 0
    var ratio = 0.0
  }

  enum Change: Equatable, Sendable {
    case text(String)
    case count(Int)
    case ratio(Double)
    case arrived(KeptArrival<Design>)
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .text(let text): design.text = text
    case .count(let count): design.count = count
    case .ratio(let ratio): design.ratio = ratio
    case .arrived(let arrival): design = arrival.theirs
    }
  }
}

/// A whole with a part that is always there, and one that may go.
struct Desk: Blueprint {
  struct Design: Equatable, Sendable {
    var notes = Notes.Design()
    var visitor: Notes.Design?
    var hours = 0
  }

  enum Change: Equatable, Sendable {
    case notes(Notes.Change)
    case visitor(Notes.Change)
    case hour

    var notes: Notes.Change? { if case .notes(let change) = self { change } else { nil } }
    var visitor: Notes.Change? { if case .visitor(let change) = self { change } else { nil } }
  }

  func change(_ design: inout Design, on change: Change) {
    if case .hour = change { design.hours += 1 }
  }
}
