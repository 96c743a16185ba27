public import AccessModel

/// The state of one permission, with what Apple's status leaves out: availability, certainty
/// and the reason.
public struct PermissionReport: Hashable, Sendable {
  /// `nil` when nothing could be derived: there is no device, or the facts do not suffice.
  public var status: PermissionStatus?
  public var availability: Availability
  public var certainty: Certainty
  /// The device or directory that was judged.
  public var path: String
  /// The cause of a refusal; `nil` when access is granted.
  public var cause: CauseCode?
  /// Why, as one sentence; `nil` when access is granted.
  ///
  /// It may hold untrusted text.
  public var reason: String?

  /// The state that an explanation comes to.
  public init(_ explanation: Explanation) {
    status = explanation.status
    availability = explanation.availability
    certainty = explanation.certainty
    path = explanation.path
    cause = explanation.cause?.code
    reason = explanation.cause?.summary
  }

  /// The state of what could not be observed at all.
  public init(undecidedAt path: String, reason: String) {
    status = nil
    availability = .absent
    certainty = .undecided
    self.path = path
    cause = nil
    self.reason = reason
  }
}
