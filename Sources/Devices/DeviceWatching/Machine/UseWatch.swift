public import AccessModel
public import LinuxDevices

/// Reports when the use of devices may have changed, and determines the current use.
///
/// The watch ends when the task that iterates over ``signals`` is cancelled, or when the watch is
/// deallocated.
public protocol UseWatch: AnyObject, Sendable {
  /// Determines the current users of the devices, and watches the devices that exist.
  ///
  /// The call may block on the filesystem. A change during the call causes a signal.
  ///
  /// - Parameter interval: The interval between signals, if some changes cause no event.
  /// - Returns: The users, and the changes that cause no event.
  /// - Throws: The errors of ``Machine/use(of:)``, except for a path that leads nowhere. After the
  ///   first call, a path that no longer leads to a device is not an error either.
  func scan(pollingEvery interval: Duration) throws(DeviceError) -> UseScan

  /// A stream that yields after one or more changes, for a single consumer.
  var signals: AsyncStream<Void> { get }

  /// Sends a signal without a change.
  func wake()
}

/// The result of determining the users of devices once.
public struct UseScan: Hashable, Sendable {
  /// The facts about the devices that exist and their users.
  public var facts: UseFacts
  /// The paths in question that lead nowhere, or no longer lead to a device.
  public var absentPaths: [String]
  /// The changes that cause no event and therefore require polling, each with the reason.
  public var gaps: [Unobserved]
  /// The time spent waiting for other processes, which is not the machine's own work.
  package var waited = Duration.zero

  /// Creates the result of one call.
  public init(_ facts: UseFacts, absentPaths: [String] = [], gaps: [Unobserved] = []) {
    self.facts = facts
    self.absentPaths = absentPaths
    self.gaps = gaps
  }
}

extension DeviceError {
  /// A Boolean value that indicates whether the path leads nowhere and a device may appear there.
  package var isOfAbsentPath: Bool {
    code == .notADevice && (errno == .noSuchFile || errno == .notDirectory)
  }

  /// A Boolean value that indicates whether the path cannot be resolved and may lead to a device.
  package var isOfHiddenPath: Bool { errno == .permissionDenied || errno == .tooManyLinks }

  /// A Boolean value that indicates whether the path leads to something other than a device.
  ///
  /// A device may replace it later.
  package var isOfTakenPath: Bool { code == .notADevice && errno == nil }
}
