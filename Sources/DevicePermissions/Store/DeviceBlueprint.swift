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
    /// The facts behind ``explanation``, or those that were asked for alone.
    public var facts: AccessFacts?
    /// The answer to the last question.
    public var explanation: Explanation?
    /// Why the last request could not be answered.
    public var failure: DeviceError?

    public init() {}
  }

  public enum Change: Equatable, Sendable {
    case list(DeviceKind)
    case explain(Question)
    case observe(Question)
    case listed(DeviceKind, [DeviceListing])
    case explained(Explanation, AccessFacts)
    case observed(AccessFacts)
    case failed(DeviceError)
  }

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
