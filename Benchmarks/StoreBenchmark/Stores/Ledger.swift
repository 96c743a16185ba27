import LegoKit

/// A blueprint whose design can be kept.
struct Ledger: Blueprint {
  struct Design: Codable, Equatable, Sendable {
    struct Entry: Codable, Equatable, Sendable {
      var id: Int
      var name: String
      var amount: Double
    }

    var count = 0
    var entries: [Entry]

    init(entries count: Int) {
      entries = (0..<count).map {
        Entry(id: $0, name: "entry number \($0)", amount: Double($0) / 4)
      }
    }
  }

  enum Change: Equatable, Sendable {
    case add(Int)
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .add(let amount): design.count &+= amount
    }
  }
}
