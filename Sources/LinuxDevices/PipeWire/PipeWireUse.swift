internal import AccessModel

/// What a PipeWire daemon knows of the users of one device.
struct PipeWireUse: Hashable, Sendable {
  /// The programs that use it through the daemon.
  var clients: [MediaClient]
  /// Whether data flows; `nil` where the daemon does not tell.
  var activity: DeviceHold.Activity?
}
