import LegoKit

/// A blueprint that counts.
package struct Counter: Blueprint {
  package struct Design: Equatable, Sendable {
    package var count = 0
    package var label = ""

    package init(count: Int = 0, label: String = "") {
      self.count = count
      self.label = label
    }
  }

  package enum Change: Equatable, Sendable {
    case add(Int)
    case label(String)
    case nothing
  }

  package init() {}

  package func change(_ design: inout Design, on change: Change) {
    switch change {
    case .add(let amount): design.count += amount
    case .label(let text): design.label = text
    case .nothing: break
    }
  }
}
