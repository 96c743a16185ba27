internal import AccessModel
public import LegoKit
internal import LinuxDevices

/// Answers the requests of a ``DeviceBlueprint``.
///
/// If the blueprint is a part of a larger one, `part` converts this adaptor to an adaptor of the
/// whole. The adaptor uses the service that is current when it handles a request; see `Contractor`.
public final class DeviceAdaptor: Adaptor<DeviceBlueprint> {
  @Contractor(\.devices) private var service: DeviceService
  private let executor: (any TaskExecutor)?

  /// Creates an adaptor.
  ///
  /// - Parameter executor: The executor that performs the work; `nil` for the default executor.
  public init(executor: (any TaskExecutor)? = nil) {
    self.executor = executor
  }

  override public func effect(
    _ design: DeviceBlueprint.Design, on change: DeviceBlueprint.Change
  ) -> Effect<DeviceBlueprint.Change> {
    switch change {
    case .list(let kind): answer(change, as: .list(kind))
    case .explain, .observe: answer(change, as: .question)
    case .listed, .explained, .observed, .failed:
      .none
    }
  }

  /// The name of a request; a later request with the same name replaces it.
  private enum Name: Hashable, Sendable {
    case list(DeviceKind)
    case question
    /// The name of any failure, because only the failure of the last request is reported.
    case failure
  }

  /// Answers a request, unless a later one replaces it.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - name: The name that the request shares with the requests that replace it.
  /// - Returns: Two merged effects. The second one reports a failure, and a later request can
  ///   cancel it without cancelling the first one.
  private func answer(
    _ request: DeviceBlueprint.Change, as name: Name
  ) -> Effect<DeviceBlueprint.Change> {
    let (failures, failure) = AsyncStream.makeStream(of: DeviceError.self)
    return .merge(
      Effect.run(executor: executor) { [service] send in
        do throws(DeviceError) {
          send(try await service.answer(request))
        } catch {
          failure.yield(error)
        }
        failure.finish()
      }
      .id(name, policy: .runNewest()),
      Effect.run(executor: executor) { send in
        for await error in failures { send(.failed(error)) }
      }
      .id(Name.failure, policy: .runNewest()))
  }
}

extension DeviceService {
  fileprivate func answer(
    _ request: DeviceBlueprint.Change
  ) async throws(DeviceError) -> DeviceBlueprint.Change {
    switch request {
    case .list(let kind):
      return .listed(kind, try await list(kind))
    case .explain(let question):
      let facts = try await facts(for: question)
      return .explained(facts.explain(), facts)
    case .observe(let question):
      return .observed(try await facts(for: question))
    case .listed, .explained, .observed, .failed:
      return request
    }
  }
}
