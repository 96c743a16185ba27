package import AccessModel

/// What taking grants back came to, of which a part may have failed.
package struct Revocation: Equatable, Sendable {
  /// What was taken back, or would be.
  package var grants: [StandingGrant]
  /// The first failure, after which everything else was taken back all the same.
  package var failure: GrantError?

  /// Creates what came of taking grants back; nothing failed yet.
  package init(_ grants: [StandingGrant] = []) { self.grants = grants }

  /// What was taken back, where all of it was.
  func get() throws(GrantError) -> [StandingGrant] {
    if let failure { throw failure }
    return grants
  }

  /// Takes in what a part of the work came to.
  mutating func attempt(_ work: () throws(GrantError) -> Void) {
    do throws(GrantError) {
      try work()
    } catch {
      failure = failure ?? error
    }
  }
}
