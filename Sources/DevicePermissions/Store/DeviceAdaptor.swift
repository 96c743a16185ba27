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
    case .list, .explain, .observe:
      .run(executor: executor) { [service] send in send(await service.answer(change)) }
    case .listed, .explained, .observed, .failed:
      .none
    }
  }
}

extension DeviceService {
  fileprivate func answer(
    _ request: DeviceBlueprint.Change
  ) async -> DeviceBlueprint.Change {
    do throws(DeviceError) {
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
    } catch {
      return .failed(error)
    }
  }
}
