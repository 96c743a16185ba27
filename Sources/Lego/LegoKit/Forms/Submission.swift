/// The progress of a form's submission.
///
/// When the user submits the form, its blueprint touches the fields and calls ``submit()``. After
/// every change, it calls ``advance(_:request:)``. An adaptor follows ``request``, performs it and
/// sends a change with the outcome. In response to that change, the blueprint calls ``finish(_:)``.
public enum Submission<Request: Equatable & Sendable, Failure: Equatable & Sendable>: Equatable,
  Sendable
{
  /// The form has not been submitted.
  case idle
  /// The form was submitted, and its fields are being checked.
  case waiting
  /// The submission was refused because a field is not valid.
  case refused
  /// The request is running.
  case sending(Request)
  /// The request succeeded.
  case sent
  /// The request failed.
  case failed(Failure)

  /// The running request, or `nil` if no request is running.
  ///
  /// It does not change if the user enters other values.
  public var request: Request? {
    if case .sending(let request) = self { request } else { nil }
  }

  /// A Boolean value that indicates whether neither a check nor a request is running.
  public var isSettled: Bool {
    switch self {
    case .waiting, .sending: false
    case .idle, .refused, .sent, .failed: true
    }
  }

  /// Submits the form, unless a submission is already in progress.
  public mutating func submit() {
    if isSettled { self = .waiting }
  }

  /// If the form is waiting for its checks, sends the request or refuses the submission.
  ///
  /// If a field is unchecked or invalid, the submission is refused. If all fields are valid, the
  /// request is sent. Otherwise, the form continues to wait.
  ///
  /// - Parameters:
  ///   - checks: The ``FormField/check`` of each field.
  ///   - request: Creates the request. The closure is called only if all fields are valid.
  public mutating func advance(_ checks: FieldCheck..., request: () -> Request) {
    guard self == .waiting else { return }
    if checks.contains(where: { $0 == .unchecked || $0 == .invalid }) {
      self = .refused
    } else if !checks.contains(.checking) {
      self = .sending(request())
    }
  }

  /// Ends the running request, if there is one.
  ///
  /// - Parameter failure: The reason for the failure, or `nil` if the request succeeded.
  public mutating func finish(_ failure: Failure? = nil) {
    guard request != nil else { return }
    self = failure.map(Submission.failed) ?? .sent
  }

  /// Cancels the submission, and returns to ``idle``.
  public mutating func cancel() { self = .idle }
}

extension Submission: Codable where Request: Codable, Failure: Codable {}

/// The focus of a form: the fields that can have the focus, and the field that has it.
public struct FormFocus<Name: Hashable & Sendable>: Equatable, Sendable {
  /// The fields in tab order.
  public let order: [Name]
  /// The focused field, or `nil` if no field has the focus.
  public private(set) var field: Name?

  /// Creates a focus on a field, or on none if the field is `nil` or not in the list.
  public init(_ order: [Name], on field: Name? = nil) {
    self.order = order
    move(to: field)
  }

  /// Moves the focus to a field, or removes it if the argument is `nil`.
  ///
  /// If the field is not in the list, nothing changes.
  ///
  /// - Returns: The field that lost the focus, which the form should touch, or `nil` if no field
  ///   did.
  @discardableResult
  public mutating func move(to name: Name?) -> Name? {
    if let name, !order.contains(name) { return nil }
    let old = field
    field = name
    return old == name ? nil : old
  }

  /// Moves the focus to the next field, or from the last field to the first.
  ///
  /// If no field has the focus, the first field receives it.
  ///
  /// - Returns: The field that lost the focus, or `nil` if no field did.
  @discardableResult
  public mutating func next() -> Name? { move(by: 1, from: -1) }

  /// Moves the focus to the previous field, or from the first field to the last.
  ///
  /// If no field has the focus, the last field receives it.
  ///
  /// - Returns: The field that lost the focus, or `nil` if no field did.
  @discardableResult
  public mutating func previous() -> Name? { move(by: -1, from: 0) }

  private mutating func move(by step: Int, from none: Int) -> Name? {
    guard !order.isEmpty else { return nil }
    let position = field.flatMap(order.firstIndex(of:)) ?? none
    return move(to: order[(position + step + order.count) % order.count])
  }
}

extension FormFocus: Codable where Name: Codable {}
