import LegoKit

/// A blueprint that counts.
struct Count: Blueprint {
  struct Design: Equatable, Sendable { var count = 0 }
  enum Change: Equatable, Sendable {
    case add(Int)
    case ask
  }

  func change(_ design: inout Design, on change: Change) {
    if case .add(let amount) = change { design.count &+= amount }
  }
}

/// A blueprint whose design contains a part that counts.
struct Whole: Blueprint {
  struct Design: Equatable, Sendable {
    var name = "whole"
    var part = Count.Design()
  }
  enum Change: Equatable, Sendable { case part(Count.Change) }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .part(let change): Count().change(&design.part, on: change)
    }
  }
}

/// A blueprint whose design has a given size.
struct Sized: Blueprint {
  struct Design: Equatable, Sendable {
    var bytes: [UInt8]
    var count = 0
  }
  enum Change: Equatable, Sendable { case touch, count }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .touch: design.bytes[design.bytes.count / 2] &+= 1
    case .count: design.count &+= 1
    }
  }
}
