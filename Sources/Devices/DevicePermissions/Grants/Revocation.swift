package import AccessModel

/// The result of a revocation, a part of which may have failed.
package struct Revocation: Equatable, Sendable {
  /// The grants that were revoked, or that would be.
  package var grants: [StandingGrant]
  /// The first failure, which does not prevent the other revocations.
  package var failure: GrantError?

  /// Creates a result without a failure.
  package init(_ grants: [StandingGrant] = []) { self.grants = grants }

  /// Returns the grants, or throws the first failure.
  func get() throws(GrantError) -> [StandingGrant] {
    if let failure { throw failure }
    return grants
  }

  /// Performs a part of the work, and records its error if it is the first failure.
  mutating func attempt(_ work: () throws(GrantError) -> Void) {
    do throws(GrantError) {
      try work()
    } catch {
      failure = failure ?? error
    }
  }
}
