package import AccessModel

/// What answers a ``GrantService``: the running system, or a machine that a test makes up.
package protocol GrantDesk: Sendable {
  /// Works out what a grant would do, and does nothing.
  func plan(_ request: GrantRequest) throws(GrantError) -> GrantReport

  /// Gives access.
  func grant(_ request: GrantRequest) throws(GrantError) -> GrantReport

  /// Takes grants back, or only tells which.
  ///
  /// - Throws: Why nothing was tried, such as `unknown` where no grant is selected.
  func revoke(_ selection: GrantSelection, isDry: Bool) throws(GrantError) -> Revocation

  /// Gives a grant again on the node of a device that came back, or through a switch of sessions.
  func renew(
    _ id: String, at path: String, settles: Bool
  ) throws(GrantError) -> StandingGrant

  /// The grants that stand.
  func grants() throws(GrantError) -> [StandingGrant]

  /// Ends when a grant has been ended by anybody; `nil` where that is not noticed.
  func end(of id: String) -> AsyncStream<Void>?
}

extension GrantDesk {
  package func end(of id: String) -> AsyncStream<Void>? { nil }
}
