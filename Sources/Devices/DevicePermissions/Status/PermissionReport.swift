public import AccessModel

/// Everything known about one permission, from one explanation or one request.
///
/// The properties never contradict each other, because none can be set separately: a new
/// observation creates a new value. If there is nothing to have permission for, ``answer``,
/// ``status`` and ``availability`` are all `absent`. The exception is an object that the settings
/// of a unit hide, which is `restricted`.
public struct PermissionReport: Hashable, Sendable {
  /// The answer, which is also the command's answer and determines its exit status.
  public let answer: Answer
  /// The answer in the terms of an application's settings, such as `authorized` or `denied`.
  public let status: PermissionStatus
  /// The availability of the device, which is independent of permission.
  ///
  /// Only a request can determine that a device is `busy`. To find the processes that use a device,
  /// use a ``DeviceUsageService``.
  public let availability: Availability
  /// The certainty of the answer and its cause.
  public let certainty: Certainty
  /// The device or directory that was checked; `nil` if none is known.
  public let path: String?
  /// The cause of an answer other than `allowed`; `nil` if access is allowed, or if only the status
  /// is known.
  public let cause: CauseCode?
  /// The cause as one sentence.
  ///
  /// It may contain untrusted text.
  public let reason: String?
}

extension PermissionReport {
  /// Creates a report from an explanation.
  public init(_ explanation: Explanation) {
    self.init(
      answer: explanation.answer, status: explanation.status,
      availability: explanation.availability, certainty: explanation.certainty,
      path: explanation.path, cause: explanation.cause?.code, reason: explanation.cause?.summary)
  }

  /// Creates a report for an object that could not be observed.
  ///
  /// - Parameters:
  ///   - path: The path in question; `nil` for a kind.
  ///   - reason: The reason why it could not be observed, as one sentence.
  public init(unknownAt path: String?, reason: String) {
    self.init(
      answer: .undetermined, status: .unknown, availability: .unknown, certainty: .undecided,
      path: path, cause: .unknown, reason: reason)
  }

  /// Creates a report from only a status, for example one that another service returned.
  ///
  /// The status `limited` counts as refused, because it does not say whether the granted part
  /// includes what is needed.
  public init(_ status: PermissionStatus) {
    let (answer, availability): (Answer, Availability) =
      switch status {
      case .authorized: (.allowed, .present)
      case .limited, .denied, .restricted, .notDetermined: (.refused, .present)
      case .absent: (.absent, .absent)
      case .unknown: (.undetermined, .unknown)
      }
    self.init(
      answer: answer, status: status, availability: availability,
      certainty: status == .unknown ? .undecided : .predicted, path: nil, cause: nil, reason: nil)
  }
}
