internal import AccessModel
public import LegoKit
internal import LinuxDevices

/// Answers the requests of a ``DeviceBlueprint``.
///
/// Where the devices are a part of a bigger blueprint, `part` makes it an adaptor of the whole.
/// The service is the one in force when a request is answered: see `Contractor`.
public final class DeviceAdaptor: Adaptor<DeviceBlueprint> {
  @Contractor(\.devices) private var service: DeviceService
  private let executor: (any TaskExecutor)?

  /// Creates an adaptor.
  ///
  /// - Parameter executor: Where the work is done; `nil` for the system's pool of threads.
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

  /// What a later request of the same name takes the place of.
  private enum Name: Hashable, Sendable {
    case list(DeviceKind)
    case question
    /// That of any request: only the last one is told to have failed.
    case failure
  }

  /// Answers a request, unless it is asked again meanwhile.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - name: What it shares with those whose answers take each other's place.
  /// - Returns: Two effects: a later request can end the second, which tells of a failure, and leave the
  ///   first.
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
