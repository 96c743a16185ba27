/// The progress of submitting a form, as a value in a design.
///
/// To submit, the form's blueprint touches the fields and calls ``submit()``. It calls
/// ``advance(_:request:)`` after every change. An adaptor follows ``request``, performs it, and
/// sends a change. For that change, the blueprint calls ``finish(_:)``.
public enum Submission<Request: Equatable & Sendable, Failure: Equatable & Sendable>: Equatable,
  Sendable
{
  /// The form was not submitted.
  case idle
  /// The form was submitted, and its fields are being checked.
  case waiting
  /// The form was submitted, and a field is not valid.
  case refused
  /// The request is running.
  case sending(Request)
  /// The request succeeded.
  case sent
  /// The request failed.
  case failed(Failure)

  /// The running request.
  ///
  /// It does not change while the user enters other values.
  public var request: Request? {
    if case .sending(let request) = self { request } else { nil }
  }

  /// A Boolean value that indicates whether neither a check nor the request is running.
  public var isSettled: Bool {
    switch self {
    case .waiting, .sending: false
    case .idle, .refused, .sent, .failed: true
    }
  }

  /// Submits the form, unless a submission is in progress.
  public mutating func submit() {
    if isSettled { self = .waiting }
  }

  /// Continues when all fields have been checked, if the form is waiting for that.
  ///
  /// - Parameters:
  ///   - checks: The ``FormField/check`` of each field. An unchecked field is not valid.
  ///   - request: Creates the request from the valid fields.
  public mutating func advance(_ checks: FieldCheck..., request: () -> Request) {
    guard self == .waiting else { return }
    if checks.contains(where: { $0 == .unchecked || $0 == .invalid }) {
      self = .refused
    } else if !checks.contains(.checking) {
      self = .sending(request())
    }
  }

  /// Ends the request, if one is running.
  ///
  /// - Parameter failure: The reason why it failed, or `nil` if it succeeded.
  public mutating func finish(_ failure: Failure? = nil) {
    guard request != nil else { return }
    self = failure.map(Submission.failed) ?? .sent
  }

  /// Cancels the submission.
  public mutating func cancel() { self = .idle }
}

extension Submission: Codable where Request: Codable, Failure: Codable {}

/// The field of a form that has the focus, as a value in a design.
public struct FormFocus<Name: Hashable & Sendable>: Equatable, Sendable {
  /// The fields in the order of the Tab key.
  public let order: [Name]
  /// The field that has the focus, or `nil` if none has it.
  public private(set) var field: Name?

  /// Creates a focus.
  public init(_ order: [Name], on field: Name? = nil) {
    self.order = order
    move(to: field)
  }

  /// Moves the focus to a field, or removes it.
  ///
  /// If the field is not in the list, nothing changes.
  ///
  /// - Returns: The field that lost the focus. The form should touch it.
  @discardableResult
  public mutating func move(to name: Name?) -> Name? {
    if let name, !order.contains(name) { return nil }
    let old = field
    field = name
    return old == name ? nil : old
  }

  /// Moves the focus to the next field.
  ///
  /// After the last field, the first follows.
  ///
  /// - Returns: The field that lost the focus.
  @discardableResult
  public mutating func next() -> Name? { move(by: 1, from: -1) }

  /// Moves the focus to the previous field.
  ///
  /// Before the first field, the last follows.
  ///
  /// - Returns: The field that lost the focus.
  @discardableResult
  public mutating func previous() -> Name? { move(by: -1, from: 0) }

  private mutating func move(by step: Int, from none: Int) -> Name? {
    guard !order.isEmpty else { return nil }
    let position = field.flatMap(order.firstIndex(of:)) ?? none
    return move(to: order[(position + step + order.count) % order.count])
  }
}

extension FormFocus: Codable where Name: Codable {}
