public import AccessModel

/// Tells when somebody may have begun or stopped to use devices, and looks.
///
/// It ends when the task that iterates over ``signals`` is cancelled, and when it goes away.
public protocol UseWatch: AnyObject, Sendable {
  /// Looks who uses the devices, and watches what was found.
  ///
  /// May block on the filesystem. What happens during the look is signalled.
  ///
  /// - Parameter interval: How often to signal where something is not told by events.
  /// - Throws: What ``Machine/use(of:)`` throws, except for a path that leads nowhere, and from the second
  ///   look on for one that leads to something that is no device.
  /// - Returns: Who uses them, and what is not told by events.
  func look(pollingEvery interval: Duration) throws(DeviceError) -> UseLook

  /// A signal for one or more reasons to look, for one consumer.
  var signals: AsyncStream<Void> { get }

  /// Signals as if something had happened.
  func wake()
}

/// What one look at the users of devices saw.
public struct UseLook: Hashable, Sendable {
  /// Who uses those devices that are there.
  public var facts: UseFacts
  /// The paths in question that lead nowhere yet, or to no device any more.
  public var absentPaths: [String]
  /// What is not told by events, so that it is looked at again after an interval; each with the
  /// reason.
  public var gaps: [Unobserved]
  /// How long the look waited for others, which is nobody's time.
  package var waited = Duration.zero

  /// Creates a look.
  public init(_ facts: UseFacts, absentPaths: [String] = [], gaps: [Unobserved] = []) {
    self.facts = facts
    self.absentPaths = absentPaths
    self.gaps = gaps
  }
}

extension DeviceError {
  /// Whether a path leads nowhere, where a device may come.
  package var isOfAbsentPath: Bool {
    code == .notADevice && (errno == .noSuchFile || errno == .notDirectory)
  }

  /// Whether nothing tells what a path leads to, where a device may be.
  package var isOfHiddenPath: Bool { errno == .permissionDenied || errno == .tooManyLinks }

  /// Whether a path leads to something that is no device, which may make room for one.
  package var isOfTakenPath: Bool { code == .notADevice && errno == nil }
}
