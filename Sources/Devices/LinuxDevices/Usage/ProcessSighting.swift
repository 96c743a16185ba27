internal import AccessModel

/// The result of inspecting one process.
struct ProcessSighting: Sendable {
  /// The facts of the process, if it holds one of the devices.
  var process: HoldingProcess?
  /// The way the process holds each device.
  var holds: [NodeNumber: DeviceHold] = [:]
  /// The open descriptors of the devices.
  var descriptors: [SeenDescriptor] = []
  /// The reason why the process could not be inspected completely.
  var unseen: UnseenProcesses.Reason?

  /// Returns whether this sighting has no new descriptors compared with an earlier one.
  ///
  /// That is the case for threads that share their descriptors.
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
