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
