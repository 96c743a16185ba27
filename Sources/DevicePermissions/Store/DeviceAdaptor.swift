internal import AccessModel
public import LegoKit
internal import LinuxDevices

/// Answers the requests of a ``DeviceBlueprint``, wherever it stands in a store's blueprint.
///
/// The service is the one in force when a request is answered: see `Contractor`.
public final class DeviceAdaptor<B: Blueprint>: Adaptor<B> {
  private let extract: @Sendable (B.Change) -> DeviceBlueprint.Change?
  private let embed: @Sendable (DeviceBlueprint.Change) -> B.Change

  @Contractor(\.devices) private var service: DeviceService

  /// Creates an adaptor for a store whose changes hold device changes.
  ///
  /// - Parameters:
  ///   - extract: The device change in a change, if it is one.
  ///   - embed: The change that holds a device change.
  public init(
    extract: @escaping @Sendable (B.Change) -> DeviceBlueprint.Change?,
    embed: @escaping @Sendable (DeviceBlueprint.Change) -> B.Change
  ) {
    self.extract = extract
    self.embed = embed
  }

  /// Creates an adaptor for a store of devices alone.
  public convenience init() where B == DeviceBlueprint {
    self.init(extract: { $0 }, embed: { $0 })
  }

  override public func connect(
    _ design: B.Design, on change: B.Change
  ) -> AnyPublisher<B.Change, Never> {
    guard let request = extract(change) else { return .empty }
    let (service, embed) = (service, embed)
    switch request {
    case .list, .explain, .observe:
      return answer { embed(await service.answer(request)) }
    case .listed, .explained, .observed, .failed:
      return .empty
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
