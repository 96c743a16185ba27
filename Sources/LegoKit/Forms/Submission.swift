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

/// Which field of a form has the focus, as a value in a design.
public struct FormFocus<Name: Hashable & Sendable>: Equatable, Sendable {
  /// The fields in the order in which the Tab key visits them.
  public let order: [Name]
  /// The field that has the focus; `nil` where none has it.
  public private(set) var field: Name?

  /// Creates a focus.
  ///
  /// - Parameters:
  ///   - order: The fields in their order.
  ///   - field: The one that has the focus at first; ignored where the order lacks it.
  public init(_ order: [Name], on field: Name? = nil) {
    self.order = order
    move(to: field)
  }

  /// Moves the focus to a field, or to none; a field that the order lacks changes nothing.
  ///
  /// - Returns: The field that lost the focus, which is touched now.
  @discardableResult
  public mutating func move(to name: Name?) -> Name? {
    if let name, !order.contains(name) { return nil }
    let old = field
    field = name
    return old == name ? nil : old
  }

  /// Moves the focus to the next field, and from the last or from none to the first.
  ///
  /// - Returns: The field that lost the focus.
  @discardableResult
  public mutating func next() -> Name? { move(by: 1, from: -1) }

  /// Moves the focus to the previous field, and from the first or from none to the last.
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
