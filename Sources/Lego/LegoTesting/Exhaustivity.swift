/// The events of a store that a test must account for.
///
/// The assertions of a test are checked at every level. The levels differ in what a test may leave
/// out.
public enum Exhaustivity: Sendable, Hashable, CaseIterable {
  /// The test must account for every difference in a design and every change that an effect sends,
  /// and every effect must end.
  case full
  /// The test must receive every change that effects send, in order.
  ///
  /// Only the values of a design that the test sets are compared. Effects may still be running at
  /// the end of the test. Changes that they send after that are ignored.
  case changes
  /// The test may leave anything out, but each omission is reported as a warning, which does not
  /// fail the test.
  case noted
  /// The test may leave anything out, and omissions are not reported.
  case none
}

extension Exhaustivity {
  /// A kind of event that a test can leave out.
  enum Matter {
    case difference, change, effect
  }

  /// The consequence of leaving out an event.
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
