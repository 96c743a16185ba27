package import AccessModel

/// Performs the calls of a ``GrantService``, on the running system or on a machine that a test
/// describes.
package protocol GrantDesk: Sendable {
  /// Plans a grant without changing anything.
  func plan(_ request: GrantRequest) throws(GrantError) -> GrantReport

  /// Gives access.
  func grant(_ request: GrantRequest) throws(GrantError) -> GrantReport

  /// Revokes grants, or only returns those that would be revoked.
  ///
  /// - Throws: The error that prevented any attempt, such as `unknown` if no grant is selected.
  func revoke(_ selection: GrantSelection, isDry: Bool) throws(GrantError) -> Revocation

  /// Renews a grant on the node of a device that was connected again, or after session switches.
  func renew(
    _ id: String, at path: String, settles: Bool
  ) throws(GrantError) -> StandingGrant

  /// Returns the existing grants.
  func grants() throws(GrantError) -> [StandingGrant]

  /// Returns a stream that finishes when the grant has ended; `nil` if the end cannot be detected.
  func end(of id: String) -> AsyncStream<Void>?
}

extension GrantDesk {
  package func end(of id: String) -> AsyncStream<Void>? { nil }
}
