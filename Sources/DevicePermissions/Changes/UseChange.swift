public import AccessModel

/// Who uses devices, and what became different.
public struct UseChange: Hashable, Sendable {
  /// Who uses those devices that are there.
  public var facts: UseFacts
  /// What happened since the element before, in the order in which it is told; empty for the first
  /// element, and where only ``absentPaths`` or ``gaps`` changed.
  public var events: [UseEvent]
  /// Whether it is the first element: the state from which the events of the others count.
  public var isFirst: Bool
  /// The paths in question that lead nowhere yet, or to no device any more.
  ///
  /// Something else, such as a regular file, may be in its place; a device that comes there is told.
  public var absentPaths: [String]
  /// What is not told by events, so that it is looked at again after an interval; each with the
  /// reason.
  public var gaps: [Unobserved]

  /// Creates a change, such as a test gives to what reads changes.
  public init(
    facts: UseFacts, events: [UseEvent] = [], isFirst: Bool = false, absentPaths: [String] = [],
    gaps: [Unobserved] = []
  ) {
    self.facts = facts
    self.events = events
    self.isFirst = isFirst
    self.absentPaths = absentPaths
    self.gaps = gaps
  }
}
