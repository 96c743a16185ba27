internal import AccessModel

/// What was seen of one process.
struct ProcessSighting: Sendable {
  /// The process, where it holds one of the devices.
  var process: HoldingProcess?
  /// How it holds each of them.
  var holds: [NodeNumber: DeviceHold] = [:]
  /// The descriptors behind that.
  var descriptors: [SeenDescriptor] = []
  /// Why it could not be looked into, or not wholly.
  var unseen: UnseenProcesses.Reason?
}
