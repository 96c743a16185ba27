internal import AccessModel
public import LegoKit
internal import LinuxDevices

/// Answers the requests of a ``DeviceBlueprint``, wherever it stands in a store's blueprint.
///
/// The service is the one in force when a request is answered: see `Contractor`.
public final class DeviceAdaptor<B: Blueprint>: PartAdaptor<B, DeviceBlueprint> {
  @Contractor(\.devices) private var service: DeviceService

  /// Creates an adaptor for a store that holds only devices.
  public convenience init() where B == DeviceBlueprint {
    self.init(extract: { $0 }, embed: { $0 })
  }

  override func work(
    for request: DeviceBlueprint.Change
  ) -> (@Sendable () async -> DeviceBlueprint.Change)? {
    let service = service
    switch request {
    case .list, .explain, .observe:
      return { await service.answer(request) }
    case .listed, .explained, .observed, .failed:
      return nil
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
