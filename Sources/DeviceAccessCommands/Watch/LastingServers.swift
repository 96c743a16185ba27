internal import AccessModel

/// Keeps the name of a media server back until it has lasted.
///
/// The server opens a device before anybody knows for whom, and closes it after that program has left.
struct LastingServers: Sendable {
  private struct Place: Hashable {
    var node: String
    var kind: String?
    var server: Int32
  }

  /// How long a server is not taken for the one that uses the device.
  static let patience = Duration.seconds(1)

  /// Since when each has been told to use a device itself.
  private var waiting: [Place: ContinuousClock.Instant] = [:]
  /// Those that have for long enough, and still do.
  private var lasting: Set<Place> = []

  /// When to take the facts once more, as others are to be named then; `nil` for never.
  var due: ContinuousClock.Instant? { waiting.values.min()?.advanced(by: Self.patience) }

  /// Takes who uses devices now.
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

  /// The users of a device to name, of those that get pictures or sound.
  func users(of device: DeviceUse) -> [DeviceUser] {
    device.activeUsers.filter { user in
      Self.place(of: user, device).map(lasting.contains) ?? true
    }
  }

  /// The place of a media server that is told to use the device itself; `nil` for another program.
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
