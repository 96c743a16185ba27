public import AccessModel

/// Everything known about one permission, made from one explanation or one request.
///
/// Its parts never contradict each other, because no part is set by itself: a new look gives a
/// new value. Where there is nothing to have permission for, ``answer``, ``status`` and
/// ``availability`` are all `absent`, except that what the settings of a unit hide is `restricted`.
public struct PermissionReport: Hashable, Sendable {
  /// The answer that the command and its exit status give, too.
  public let answer: Answer
  /// The answer in the words of an application's settings, such as `authorized` or `denied`.
  public let status: PermissionStatus
  /// Whether the device is there, which is not a matter of permission.
  ///
  /// That it is `busy` is known from a request alone: who uses a device is asked of a
  /// ``DeviceUsageService``.
  public let availability: Availability
  /// How far the answer and its cause can be relied on.
  public let certainty: Certainty
  /// The device or directory that was judged; `nil` where none is known.
  public let path: String?
  /// Why the answer is not `allowed`; `nil` when it is, or when only the status is known.
  public let cause: CauseCode?
  /// The cause as one sentence.
  ///
  /// It may hold untrusted text.
  public let reason: String?
}

extension PermissionReport {
  /// Creates the report of an explanation.
  public init(_ explanation: Explanation) {
    self.init(
      answer: explanation.answer, status: explanation.status,
      availability: explanation.availability, certainty: explanation.certainty,
      path: explanation.path, cause: explanation.cause?.code, reason: explanation.cause?.summary)
  }

  /// What could not be observed at all.
  ///
  /// - Parameters:
  ///   - path: The path that was asked about; `nil` for a kind.
  ///   - reason: Why nothing could be observed, as one sentence.
  public init(unknownAt path: String?, reason: String) {
    self.init(
      answer: .undetermined, status: .unknown, availability: .unknown, certainty: .undecided,
      path: path, cause: .unknown, reason: reason)
  }

  /// Creates the report of a bare status, such as one that another service gave.
  ///
  /// `limited` counts as refused: the status alone does not say that what is needed is among the
  /// part that is granted.
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
