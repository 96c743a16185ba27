/// A three-valued answer, which is `maybe` if it depends on a fact that was not observed.
enum Ternary: UInt8, Comparable {
  case no
  case maybe
  case yes

  init(_ value: Bool) {
    self = value ? .yes : .no
  }

  static func < (left: Ternary, right: Ternary) -> Bool {
    left.rawValue < right.rawValue
  }

  var negated: Ternary {
    switch self {
    case .no: .yes
    case .maybe: .maybe
    case .yes: .no
    }
  }

  func and(_ other: Ternary) -> Ternary {
    min(self, other)
  }
}
