/// An answer that may be open because a fact was not observed.
enum Truth: UInt8, Comparable {
  case no
  case maybe
  case yes

  init(_ value: Bool) {
    self = value ? .yes : .no
  }

  static func < (left: Truth, right: Truth) -> Bool {
    left.rawValue < right.rawValue
  }

  func and(_ other: Truth) -> Truth {
    min(self, other)
  }
}
