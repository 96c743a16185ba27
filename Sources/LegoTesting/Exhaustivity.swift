/// How much of what happens a test has to account for.
///
/// What a test asserts is checked at every level; the levels differ in what it leaves out.
public enum Exhaustivity: Sendable, Hashable, CaseIterable {
  /// Every difference of designs, every change of an effect and every effect.
  case full
  /// Every change that effects have sent, in order; of designs what the test mentions. Effects may
  /// still run at the end, and nobody looks at what they send later.
  case changes
  /// Nothing, but what is left out is reported as a warning, which fails no test.
  case noted
  /// Nothing.
  case none
}

extension Exhaustivity {
  /// What a test can leave out.
  enum Matter {
    case difference, change, effect
  }

  /// Whether what is left out fails the test, is a warning, or is ignored.
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
