internal import AccessModel

/// The information about the use of one device that its driver provides.
struct DriverReport: Hashable, Sendable {
  /// The streams of a sound device.
  var streams: SoundStreams?
  /// A Boolean value that indicates whether no process has any device of the driver open.
  var isUnused = false
  /// A Boolean value that indicates whether the device is suspended and cannot stream.
  var isAsleep = false

  /// A Boolean value that indicates whether the driver reports that no process has the device open.
  var isOfNobody: Bool { isUnused || streams?.open.isEmpty == true }

  /// Adds the report to the facts that were found by inspecting processes.
  func add(to use: inout DeviceUse) {
    if isUnused { use.isToldByDriver = true }
    guard isAsleep else { return }
    for index in use.holders.indices where use.holders[index].hold.activity == nil {
      use.holders[index].hold.activity = .idle
    }
  }
}
