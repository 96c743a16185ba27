import LegoKit

/// What a daemon has counted, over all its lives.
struct CounterBlueprint: Blueprint {
  struct Design: Codable, Equatable, Sendable {
    /// How often it began.
    var lives = 0
    /// How often the clock has ticked.
    var ticks = 0
  }

  enum Change: Equatable, Sendable {
    /// The daemon begins.
    case begin
    /// The clock ticks.
    case tick
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .begin: design.lives += 1
    case .tick: design.ticks += 1
    }
  }
}
