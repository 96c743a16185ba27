import LegoKit

/// A blueprint whose design tells in which order its changes came.
struct Ledger: Blueprint {
  struct Design: Equatable, Sendable {
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
