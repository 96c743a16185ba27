internal import AccessModel

/// What the driver of one device tells of its use.
struct DriverReport: Hashable, Sendable {
  /// The streams of a sound device.
  var streams: SoundStreams?
  /// Whether nobody has any device of the driver open.
  var isUnused = false
  /// Whether nothing can stream from the device now.
  var isAsleep = false

  /// Whether it tells that nobody has the device open.
  var isOfNobody: Bool { isUnused || streams?.open.isEmpty == true }

  /// Adds it to what was seen of the processes.
  func add(to use: inout DeviceUse) {
    if isUnused { use.isToldByDriver = true }
    guard isAsleep else { return }
    for index in use.holders.indices where use.holders[index].hold.activity == nil {
      use.holders[index].hold.activity = .idle
    }
  }
}
