public import AccessModel
public import LegoKit
public import LinuxDevices

/// The part of a store that holds lists of devices and explanations.
///
/// A ``DeviceAdaptor`` answers its requests.
public struct DeviceBlueprint: Blueprint {
  public static let brick = DeviceBlueprint()

  public struct Design: Equatable, Sendable {
    /// The devices of each kind that was asked for.
    public var listings: [DeviceKind: [DeviceListing]] = [:]
    /// The facts behind ``explanation``, or those that were asked for without it.
    public var facts: AccessFacts?
    /// The answer to the last question; a question that is asked meanwhile takes the place of one that is
    /// not answered yet.
    public var explanation: Explanation?
    /// Why the last request could not be answered.
    public var failure: DeviceError?
    /// What was asked last.
    private var lastRequest: Request?

    fileprivate enum Request: Equatable, Sendable {
      case list(DeviceKind)
      case question
    }

    /// Creates the state in which nothing has been asked.
    public init() {}

    fileprivate mutating func begin(_ request: Request) {
      lastRequest = request
      failure = nil
    }

    /// Notes that a request was answered.
    ///
    /// That before it may have failed after this one had come and before its effect was cancelled.
    fileprivate mutating func end(_ request: Request) {
      if lastRequest == request { failure = nil }
    }
  }

  public enum Change: Equatable, Sendable {
    /// Asks for the devices of a kind.
    case list(DeviceKind)
    /// Asks whether access is granted, and why not; a question before that is not answered yet is not
    /// answered any more.
    case explain(Question)
    /// Asks for the facts behind an answer, without the answer; it is a question as well.
    case observe(Question)
    /// Answers ``list(_:)`` with the devices of the kind.
    case listed(DeviceKind, [DeviceListing])
    /// Answers ``explain(_:)`` with the explanation and its facts.
    case explained(Explanation, AccessFacts)
    /// Answers ``observe(_:)`` with the facts.
    case observed(AccessFacts)
    /// Answers a request that could not be answered; what is known from before stays.
    case failed(DeviceError)
  }

  /// Creates the blueprint, which has no state of its own.
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
