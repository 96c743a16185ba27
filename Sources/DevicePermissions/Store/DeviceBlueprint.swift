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
    /// The answer to the last question.
    public var explanation: Explanation?
    /// Why the last request could not be answered.
    public var failure: DeviceError?

    /// Creates the state in which nothing has been asked.
    public init() {}
  }

  public enum Change: Equatable, Sendable {
    /// Asks for the devices of a kind.
    case list(DeviceKind)
    /// Asks whether access is granted, and why not.
    case explain(Question)
    /// Asks for the facts behind an answer, without the answer.
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
    case .list, .explain, .observe:
      design.failure = nil
    case .listed(let kind, let listings):
      design.listings[kind] = listings
    case .explained(let explanation, let facts):
      design.explanation = explanation
      design.facts = facts
    case .observed(let facts):
      design.facts = facts
    case .failed(let error):
      design.failure = error
    }
  }
}
