/// The events of a store that a test must account for.
///
/// The assertions of a test are checked at every level. The levels differ in what a test may omit.
public enum Exhaustivity: Sendable, Hashable, CaseIterable {
  /// Every difference of designs, every change of an effect and every effect.
  case full
  /// Every change that effects send, in order.
  ///
  /// Only the values of each design that the test mentions are compared. Effects may still run at
  /// the end, and the changes that they send later are ignored.
  case changes
  /// Nothing. Each omission is reported as a warning, which does not fail the test.
  case noted
  /// Nothing.
  case none
}

extension Exhaustivity {
  /// An event that a test can omit.
  enum Matter {
    case difference, change, effect
  }

  /// The result of an omission.
  enum Consequence {
    case failure, warning, nothing
  }

  func consequence(ofLeavingOut matter: Matter) -> Consequence {
    switch (self, matter) {
    case (.full, _), (.changes, .change): .failure
    case (.noted, _): .warning
    case (.changes, .difference), (.changes, .effect), (.none, _): .nothing
    }
  }
}
