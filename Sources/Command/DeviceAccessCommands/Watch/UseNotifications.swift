internal import AccessModel
internal import DevicePermissions
internal import LinuxDevices

/// Creates the notifications about programs that start or stop receiving pictures or sound.
struct UseNotifications: Sendable {
  /// A program and a kind of device that it uses; processes with the same name count as one
  /// program.
  fileprivate struct Use: Hashable {
    /// The name of the device for the user, such as *the camera*.
    var noun: String
    var program: Program
  }

  fileprivate enum Program: Hashable {
    /// A program with its name, and the application or container that it runs in.
    case named(String, place: String?)
    /// A program that the driver reports, but whose process was not found.
    case unnamed
    /// A program that may exist but is not visible.
    case unseen
  }

  /// The current uses, each with its devices.
  private var uses: [Use: [DeviceUse]] = [:]
  /// The devices that an invisible program may be using.
  private var doubtful: [DeviceUse] = []
  /// The devices that an invisible program may have started to use, with the time of the report.
  private var suspected: [(device: DeviceUse, since: ContinuousClock.Instant)] = []
  /// The media servers that use a device themselves.
  private var servers = MediaServerDelay()

  /// The minimum time that an invisible program must use a device before it is reported.
  ///
  /// The udev daemon briefly opens a new camera, and opens it again when an event is triggered.
  private static let patience = MediaServerDelay.patience

  init() {}

  /// The time at which to take the latest change again, without its events; `nil` for never.
  var due: ContinuousClock.Instant? {
    let doubt = suspected.map(\.since).min()?.advanced(by: Self.patience)
    return [doubt, servers.due].compactMap(\.self).min()
  }

  /// Returns the notifications for a change; for the initial state, one for every current use.
  mutating func take(
    _ change: UseChange, at now: ContinuousClock.Instant = .now
  ) -> [DesktopNotification] {
    let before = uses
    takeDoubts(change, now)
    servers.take(change.facts, at: now)
    uses = uses(in: change.facts.devices)
    for device in doubtful {
      uses[Use(noun: Self.noun(device), program: .unseen), default: []].append(device)
    }
    let hidden = Set(
      change.events.filter { $0.action == .hidden }.compactMap { event in
        event.user.map { Use($0, of: event.device) }
      })
    let ended = before.filter { uses[$0.key] == nil }
      .map { Self.notification($0.key.endSummary, $0.key, $0.value, isOver: true) }
    let others = uses.filter { use, devices in
      // If a program starts to use another device of the kind, the notification must list it.
      hidden.contains(use) || before[use].map { Self.differ($0, devices) } ?? true
    }
    return Self.sorted(ended)
      + Self.sorted(
        others.map { use, devices in
          let verb = hidden.contains(use) ? "is no longer visible, and may still use" : use.verb
          return Self.notification(use.summary(verb), use, devices)
        })
  }

  /// The notifications about every current use, for a service that has shown none of them.
  var current: [DesktopNotification] {
    Self.sorted(uses.map { Self.notification($0.key.summary($0.key.verb), $0.key, $0.value) })
  }

  /// Adds the devices that an invisible program has possibly used for the minimum time.
  private mutating func takeDoubts(_ change: UseChange, _ now: ContinuousClock.Instant) {
    // This event occurs only if the device was known to be free, usually because its driver
    // reported it.
    for event in change.events where event.action == .unknown {
      let isKnown = suspected.contains { Self.isSame($0.device, event.device) }
      if !isKnown { suspected.append((event.device, now)) }
    }
    let possible = change.facts.devices.filter { change.facts.state(of: $0) != .free }
    suspected.removeAll { suspect in !possible.contains { Self.isSame($0, suspect.device) } }
    let lasting = suspected.filter { $0.since.duration(to: now) >= Self.patience }.map(\.device)
    suspected.removeAll { $0.since.duration(to: now) >= Self.patience }
    doubtful = possible.filter { device in
      (doubtful + lasting).contains { Self.isSame(device, $0) }
    }
  }

  private func uses(in devices: [DeviceUse]) -> [Use: [DeviceUse]] {
    var uses: [Use: [DeviceUse]] = [:]
    for device in devices {
      for use in Set(servers.users(of: device).map { Use($0, of: device) }) {
        uses[use, default: []].append(device)
      }
    }
    return uses
  }

  private static func differ(_ first: [DeviceUse], _ second: [DeviceUse]) -> Bool {
    first.count != second.count || zip(first, second).contains { !isSame($0, $1) }
  }

  private static func isSame(_ first: DeviceUse, _ second: DeviceUse) -> Bool {
    first.node == second.node && first.kind == second.kind
  }

  private static func sorted(_ notifications: [DesktopNotification]) -> [DesktopNotification] {
    notifications.sorted { ($0.summary, $0.body) < ($1.summary, $1.body) }
  }

  /// Returns the name of a device for the user.
  fileprivate static func noun(_ device: DeviceUse) -> String {
    device.kindName.map { "the \($0)" } ?? Escaped(device.node).description
  }

  private static func notification(
    _ summary: String, _ use: Use, _ devices: [DeviceUse], isOver: Bool = false
  ) -> DesktopNotification {
    let icon =
      switch devices.first?.kindName {
      case DeviceKind.camera.name: "camera-web"
      case DeviceKind.microphone.name: "audio-input-microphone"
      default: "dialog-information"
      }
    var lines = devices.prefix(mostDevices).map { device in
      [device.device?.name, device.node].compactMap(\.self)
    }
    if devices.count > mostDevices { lines.append(["and \(devices.count - mostDevices) more"]) }
    if let place = use.place { lines.append(["in \(place)"]) }
    func text(_ escape: (String) -> String) -> String {
      lines.map { $0.map(escape).joined(separator: ", ") }.joined(separator: "\n")
    }
    return DesktopNotification(
      program: "devaccess", icon: icon, summary: summary,
      body: text { Escaped($0, limit: Markup.limit).description },
      markup: text { Markup.escape($0) }, subject: use.subject, isOver: isOver)
  }

  /// The maximum number of devices that a notification lists.
  private static let mostDevices = 4
}

extension UseNotifications.Use {
  fileprivate init(_ user: DeviceUser, of device: DeviceUse) {
    let place = user.application ?? user.process?.containerWords?.joined(separator: " ")
    self.init(
      noun: UseNotifications.noun(device),
      program: user.name.map { .named($0, place: place) } ?? .unnamed)
  }

  fileprivate var name: String {
    switch program {
    case .named(let name, _): Escaped(name, limit: 64).description
    case .unnamed: "A program"
    case .unseen: "A program that is not visible"
    }
  }

  fileprivate var place: String? {
    if case .named(_, let place) = program { place } else { nil }
  }

  fileprivate var verb: String { program == .unseen ? "may use" : "uses" }

  fileprivate func summary(_ verb: String) -> String { "\(name) \(verb) \(noun)" }

  fileprivate var endSummary: String {
    // It was only suspected that an invisible program used the device.
    program == .unseen
      ? "No hidden program uses \(noun)" : summary("no longer uses")
  }

  fileprivate var subject: String {
    [noun, name, place].compactMap(\.self).joined(separator: "\0")
  }
}

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

  /// The media servers that have been using a device for less than ``patience``, with the time at
  /// which the use was first observed.
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
