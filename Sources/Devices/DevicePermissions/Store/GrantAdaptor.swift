internal import AccessModel
public import LegoKit

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
