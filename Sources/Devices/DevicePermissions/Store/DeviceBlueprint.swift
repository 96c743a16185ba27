public import AccessModel
public import LegoKit
public import LinuxDevices

/// The part of a store that contains lists of devices and explanations.
///
/// A ``DeviceAdaptor`` answers its requests.
public struct DeviceBlueprint: Blueprint {
  public static let brick = DeviceBlueprint()

  public struct Design: Equatable, Sendable {
    /// The devices of each kind that was requested.
    public var listings: [DeviceKind: [DeviceListing]] = [:]
    /// The facts behind ``explanation``, or facts that were requested without an explanation.
    public var facts: AccessFacts?
    /// The answer to the last question that was answered.
    ///
    /// A new question replaces one that has not been answered yet.
    public var explanation: Explanation?
    /// The error of the last request; `nil` if it has not failed.
    public var failure: DeviceError?
    /// The last request.
    private var lastRequest: Request?

    fileprivate enum Request: Equatable, Sendable {
      case list(DeviceKind)
      case question
    }

    /// Creates the state before the first request.
    public init() {}

    fileprivate mutating func begin(_ request: Request) {
      lastRequest = request
      failure = nil
    }

    /// Records that a request was answered.
    ///
    /// If it is the last request, ``failure`` belongs to a previous one, which failed after this
    /// request was made and before its effect was cancelled.
    fileprivate mutating func end(_ request: Request) {
      if lastRequest == request { failure = nil }
    }
  }

  public enum Change: Equatable, Sendable {
    /// Requests the devices of a kind.
    case list(DeviceKind)
    /// Asks whether access is allowed, and why not.
    ///
    /// This replaces a question that has not been answered yet.
    case explain(Question)
    /// Requests the facts behind an answer, without the answer.
    ///
    /// This replaces a question that has not been answered yet.
    case observe(Question)
    /// Answers ``list(_:)`` with the devices of the kind.
    case listed(DeviceKind, [DeviceListing])
    /// Answers ``explain(_:)`` with the explanation and its facts.
    case explained(Explanation, AccessFacts)
    /// Answers ``observe(_:)`` with the facts.
    case observed(AccessFacts)
    /// Reports that a request failed; previous results remain.
    case failed(DeviceError)
  }

  /// Creates a blueprint.
  public init() {}

  public func change(_ design: inout Design, on change: Change) {
    switch change {
    case .list(let kind):
      design.begin(.list(kind))
    case .explain, .observe:
      design.begin(.question)
    case .listed(let kind, let listings):
      design.end(.list(kind))
      design.listings[kind] = listings
    case .explained(let explanation, let facts):
      design.end(.question)
      design.explanation = explanation
      design.facts = facts
    case .observed(let facts):
      design.end(.question)
      design.facts = facts
    case .failed(let error):
      design.failure = error
    }
  }
}

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
      let answer = try await self.answer(question)
      return .explained(answer.explanation, answer.facts)
    case .observe(let question):
      return .observed(try await facts(for: question))
    case .listed, .explained, .observed, .failed:
      return request
    }
  }
}

extension Feature where B == DeviceBlueprint {
  /// The feature for lists of devices and explanations, including its adaptor.
  public static var devices: Feature {
    Feature(DeviceBlueprint(), adaptors: [DeviceAdaptor()])
  }
}

extension Bricks {
  /// The blueprint for lists of devices and explanations.
  public var devices: DeviceBlueprint {
    get { Self[DeviceBlueprint.Value.self] }
    set { Self[DeviceBlueprint.Value.self] = newValue }
  }
}
