public import AccessModel
public import LegoKit

/// The part of a store that gives users access to devices, and knows what stands.
///
/// A ``GrantAdaptor`` does the work.
public struct GrantBlueprint: Blueprint {
  public static let brick = GrantBlueprint()

  public struct Design: Equatable, Sendable {
    /// The grants that stand; `nil` until they were asked for.
    public var standing: [StandingGrant]?
    /// What the last grant came to, or would come to.
    public var report: GrantReport?
    /// What was last taken back, or would be.
    public var revoked: [StandingGrant] = []
    /// Why the last request could not be fulfilled.
    public var failure: GrantError?

    /// Creates the state in which nothing has been asked.
    public init() {}
  }

  public enum Change: Equatable, Sendable {
    /// Gives access, or works out what that would do.
    case grant(GrantRequest, isDry: Bool = false)
    /// Takes grants back, or works out what that would do.
    case revoke(GrantSelection, isDry: Bool = false)
    /// Gives a grant again on the node of a device that came back.
    case renew(String, at: String, settles: Bool = false)
    /// Asks for the grants that stand.
    case list
    /// Answers ``grant(_:isDry:)``.
    case granted(GrantReport)
    /// Answers ``revoke(_:isDry:)`` and ``renew(_:at:settles:)`` with the grants in question.
    case settled([StandingGrant])
    /// Answers ``list``.
    case listed([StandingGrant])
    /// Answers a request that was refused or failed; follows ``settled(_:)`` where a part of it was done.
    case failed(GrantError)
  }

  /// Creates the blueprint, which has no state of its own.
  public init() {}

  public func change(_ design: inout Design, on change: Change) {
    switch change {
    case .grant, .list: design.failure = nil
    case .revoke, .renew:
      design.failure = nil
      design.revoked = []
    case .granted(let report): design.report = report
    case .settled(let grants): design.revoked = grants
    case .listed(let grants): design.standing = grants
    case .failed(let error): design.failure = error
    }
  }
}
