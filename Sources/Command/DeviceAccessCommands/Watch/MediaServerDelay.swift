internal import AccessModel

/// Delays reports of a media server as the user of a device until the use has lasted for a while.
///
/// A media server opens a device before the program that it serves is known, and closes it after
/// that program has ended.
struct MediaServerDelay: Sendable {
  private struct Place: Hashable {
    var node: String
    var kind: String?
    var server: Int32
  }

  /// The minimum time that a media server must use a device itself before it is reported.
  static let patience = Duration.seconds(1)

  /// The media servers that have not used a device long enough, with the time of the first report.
  private var waiting: [Place: ContinuousClock.Instant] = [:]
  /// The media servers that have used a device long enough and still do.
  private var lasting: Set<Place> = []

  /// The time at which to take the facts again, because another server is due; `nil` for never.
  var due: ContinuousClock.Instant? { waiting.values.min()?.advanced(by: Self.patience) }

  /// Updates the state with the current users of the devices.
  mutating func take(_ facts: UseFacts, at now: ContinuousClock.Instant) {
    let places = Set(
      facts.devices.flatMap { device in
        device.activeUsers.compactMap { Self.place(of: $0, device) }
      })
    lasting.formIntersection(places)
    waiting = waiting.filter { places.contains($0.key) }
    for place in places.subtracting(lasting) {
      let start = waiting[place] ?? now
      waiting[place] = start
      if start.duration(to: now) >= Self.patience {
        waiting[place] = nil
        lasting.insert(place)
      }
    }
  }

  /// Returns the active users of a device, except media servers that have not lasted yet.
  func users(of device: DeviceUse) -> [DeviceUser] {
    device.activeUsers.filter { user in
      Self.place(of: user, device).map(lasting.contains) ?? true
    }
  }

  /// Returns the place of a media server that uses a device itself; `nil` for any other program.
  private static func place(of user: DeviceUser, _ device: DeviceUse) -> Place? {
    let server: Int32
    switch user {
    case .holder(let holder) where holder.process.isMediaServer: server = holder.process.id
    case .client(let client, let process) where client.processID == process.id: server = process.id
    case .holder, .client, .unnamed: return nil
    }
    return Place(node: device.node, kind: device.kind, server: server)
  }
}
