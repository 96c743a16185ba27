public import AccessModel

/// The users of some devices, and what has changed.
public struct UseChange: Hashable, Sendable {
  /// The users of the devices that exist.
  public var facts: UseFacts
  /// The events since the previous element, in the order in which they are reported.
  ///
  /// The array is empty for the first element, and if only ``absentPaths`` or ``gaps`` changed.
  public var events: [UseEvent]
  /// A Boolean value that indicates whether this is the first element, which is the initial state.
  public var isFirst: Bool
  /// The paths that lead to no device now.
  ///
  /// Another object, such as a regular file, may be at the path. If a device appears there, the
  /// next element reports it.
  public var absentPaths: [String]
  /// The objects that send no events and are polled instead, each with the reason.
  ///
  /// If an observation fails, the array contains the reason for the failure instead.
  public var gaps: [Unobserved]

  /// Creates a change, for example to test the code that handles changes.
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
