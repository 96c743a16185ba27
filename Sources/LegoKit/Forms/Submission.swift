/// How far the submission of a form has come, as a value in a design.
///
/// To submit, the form's blueprint touches the fields and calls ``submit()``. It calls
/// ``advance(_:request:)`` after every change. An adaptor follows ``request``, does what is asked,
/// and sends a change for which the blueprint calls ``finish(_:)``.
public enum Submission<Request: Equatable & Sendable, Failure: Equatable & Sendable>: Equatable,
  Sendable
{
  /// Nobody has submitted the form.
  case idle
  /// The form was submitted, and the checks of its fields are under way.
  case waiting
  /// The form was submitted, and a field is not valid.
  case refused
  /// The request is under way.
  case sending(Request)
  /// The request succeeded.
  case sent
  /// The request failed.
  case failed(Failure)

  /// The request that is under way.
  ///
  /// It stays what it was when it began, whatever is entered meanwhile.
  public var request: Request? {
    if case .sending(let request) = self { request } else { nil }
  }

  /// Whether nothing is under way: neither a check nor the request.
  public var isSettled: Bool {
    switch self {
    case .waiting, .sending: false
    case .idle, .refused, .sent, .failed: true
    }
  }

  /// Submits the form; without effect while a submission is under way.
  public mutating func submit() {
    if isSettled { self = .waiting }
  }

  /// Goes on once the checks of all fields are known, if the form waits for them.
  ///
  /// - Parameters:
  ///   - checks: The ``FormField/check`` of each field; one that is unchecked is not valid.
  ///   - request: Makes the request of valid fields.
  public mutating func advance(_ checks: FieldCheck..., request: () -> Request) {
    guard self == .waiting else { return }
    if checks.contains(where: { $0 == .unchecked || $0 == .invalid }) {
      self = .refused
    } else if !checks.contains(.checking) {
      self = .sending(request())
    }
  }

  /// Ends the request; without effect where none is under way.
  ///
  /// - Parameter failure: Why it failed; `nil` where it succeeded.
  public mutating func finish(_ failure: Failure? = nil) {
    guard request != nil else { return }
    self = failure.map(Submission.failed) ?? .sent
  }

  /// Forgets the submission: what is under way is cancelled.
  public mutating func cancel() { self = .idle }
}

extension Submission: Codable where Request: Codable, Failure: Codable {}
