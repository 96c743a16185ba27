internal import AccessModel

/// A device of a list, with what the caller may do with it.
struct DeviceEntry: Hashable, Sendable {
  var device: DeviceFacts
  /// Whether it may be opened for reading alone; `nil` when that was not judged.
  var read: Outcome?
  /// Whether it may be opened for writing alone; `nil` when that was not judged.
  var write: Outcome?
  /// Whether it may be opened for both at once, which two group entries of a list can refuse
  /// although each alone is granted.
  var readWrite: Outcome?
}
