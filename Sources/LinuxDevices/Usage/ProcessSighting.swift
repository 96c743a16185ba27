internal import AccessModel

/// What was seen of one process.
struct ProcessSighting: Sendable {
  /// The process, where it holds one of the devices.
  var process: HoldingProcess?
  /// How it holds each of them.
  var holds: [NodeNumber: DeviceHold] = [:]
  /// The descriptors behind that.
  var descriptors: [SeenDescriptor] = []
  /// Why it could not be inspected, or not wholly.
  var unseen: UnseenProcesses.Reason?

  /// Whether all that was seen since an earlier sighting of the process may be what had been seen before, as
  /// of threads that share their descriptors.
  func hasNone(besides earlier: ProcessSighting) -> Bool {
    func keys(_ descriptors: some Sequence<SeenDescriptor>) -> Set<[UInt32]> {
      Set(
        descriptors.map {
          [$0.number, $0.device.number.major, $0.device.number.minor, $0.device.isBlock ? 1 : 0]
        })
    }
    return unseen == earlier.unseen
      && keys(descriptors[earlier.descriptors.count...]).isSubset(of: keys(earlier.descriptors))
  }
}
