internal import AccessModel

/// The observations of one process.
struct ProcessSighting: Sendable {
  /// The process, if it holds one of the devices.
  var process: HoldingProcess?
  /// The way that the process holds each device.
  var holds: [NodeNumber: DeviceHold] = [:]
  /// The open descriptors of the devices.
  var descriptors: [SeenDescriptor] = []
  /// The reason why the process could not be inspected, or only in part.
  var unseen: UnseenProcesses.Reason?

  /// Returns `true` if everything that was seen since an earlier sighting may have been seen
  /// before.
  ///
  /// Threads that share their descriptors are an example.
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
