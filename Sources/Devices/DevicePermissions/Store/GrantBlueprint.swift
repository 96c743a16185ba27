public import AccessModel
public import LegoKit

/// The part of a store that gives users access to devices, and contains the existing grants.
///
/// A ``GrantAdaptor`` does the work.
public struct GrantBlueprint: Blueprint {
  public static let brick = GrantBlueprint()

  public struct Design: Equatable, Sendable {
    /// The existing grants; `nil` until they have been requested.
    public var standing: [StandingGrant]?
    /// The report of the last grant that was given or planned.
    public var report: GrantReport?
    /// The grants that the last request revoked or renewed, or would revoke.
    public var revoked: [StandingGrant] = []
    /// The error of the last request; `nil` if it has not failed.
    public var failure: GrantError?

    /// Creates the state before the first request.
    public init() {}
  }

  public enum Change: Equatable, Sendable {
    /// Gives access, or only plans it if `isDry` is `true`.
    case grant(GrantRequest, isDry: Bool = false)
    /// Revokes grants, or only plans the revocation if `isDry` is `true`.
    case revoke(GrantSelection, isDry: Bool = false)
    /// Renews a grant on the node of a device that was connected again.
    case renew(String, at: String, settles: Bool = false)
    /// Requests the existing grants.
    case list
    /// Answers ``grant(_:isDry:)``.
    case granted(GrantReport)
    /// Answers ``revoke(_:isDry:)`` and ``renew(_:at:settles:)`` with the grants in question.
    case settled([StandingGrant])
    /// Answers ``list``.
    case listed([StandingGrant])
    /// Reports that a request was refused or failed, after ``settled(_:)`` if a part of it
    /// succeeded.
    case failed(GrantError)
  }

  /// Creates a blueprint.
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

/// Answers the requests of a ``GrantBlueprint``.
///
/// The adaptor uses the service that is current when it handles a request; see `Contractor`.
public final class GrantAdaptor: Adaptor<GrantBlueprint> {
  @Contractor(\.grants) private var service: GrantService
  private let executor: (any TaskExecutor)?

  /// Creates an adaptor.
  ///
  /// - Parameter executor: The executor that performs the work; `nil` for the default executor.
  public init(executor: (any TaskExecutor)? = nil) {
    self.executor = executor
  }

  override public func effect(
    _ design: GrantBlueprint.Design, on change: GrantBlueprint.Change
  ) -> Effect<GrantBlueprint.Change> {
    switch change {
    case .grant, .revoke, .renew, .list:
      .run(executor: executor) { [service] send in
        for answer in await service.answers(change) { send(answer) }
      }
    case .granted, .settled, .listed, .failed:
      .none
    }
  }
}

extension GrantService {
  fileprivate func answers(_ request: GrantBlueprint.Change) async -> [GrantBlueprint.Change] {
    do throws(GrantError) {
      switch request {
      case .grant(let request, let isDry):
        return [.granted(isDry ? try await plan(request) : try await grant(request))]
      case .revoke(let selection, let isDry):
        let revocation = try await revocation(selection, isDry: isDry)
        return [.settled(revocation.grants)] + (revocation.failure.map { [.failed($0)] } ?? [])
      case .renew(let id, let path, let settles):
        return [.settled([try await renew(id, at: path, settles: settles)])]
      case .list: return [.listed(try await grants())]
      case .granted, .settled, .listed, .failed: return [request]
      }
    } catch {
      return [.failed(error)]
    }
  }
}
