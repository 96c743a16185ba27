/// Whether something holds, which is uncertain if it depends on a fact that was not observed.
enum UdevRuleCertainty: UInt8, Comparable {
  case no
  case maybe
  case yes

  init(_ value: Bool) {
    self = value ? .yes : .no
  }

  static func < (left: UdevRuleCertainty, right: UdevRuleCertainty) -> Bool {
    left.rawValue < right.rawValue
  }

  var negated: UdevRuleCertainty {
    switch self {
    case .no: .yes
    case .maybe: .maybe
    case .yes: .no
    }
  }

  func and(_ other: UdevRuleCertainty) -> UdevRuleCertainty {
    min(self, other)
  }
}
