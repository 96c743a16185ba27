internal import AccessModel
internal import DevicePermissions
internal import LinuxDevices

/// What is worth a notification: the programs that get pictures or sound, as far as they changed.
struct UseNotifications: Sendable {
  /// A program and what it uses; several processes of one are one.
  fileprivate struct Use: Hashable {
    /// What a person calls the devices.
    var noun: String
    var program: Program
  }

  fileprivate enum Program: Hashable {
    /// The name that it gives itself, and the application or the container that it is in.
    case named(String, place: String?)
    /// One that the driver reports, and that could not be found.
    case unnamed
    /// One that may be there, which nobody can see.
    case unseen
  }

  /// What is in use, each with its devices.
  private var uses: [Use: [DeviceUse]] = [:]
  /// The devices that a program that cannot be seen may use.
  private var doubtful: [DeviceUse] = []
  /// Those that one may use since a moment.
  private var suspected: [(device: DeviceUse, since: ContinuousClock.Instant)] = []
  /// The media servers that are told to use a device themselves.
  private var servers = LastingServers()

  /// How long a program that cannot be seen has to use a device: udev's daemon opens each camera that
  /// comes, and each one anew when somebody asks it to.
  private static let patience = LastingServers.patience

  init() {}

  /// When the latest change, without its events, is to be taken once more; `nil` for never.
  var due: ContinuousClock.Instant? {
    let doubt = suspected.map(\.since).min()?.advanced(by: Self.patience)
    return [doubt, servers.due].compactMap(\.self).min()
  }

  /// The notifications for a change: for the state in which watching begins, of what is in use.
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
      // Where it uses another one as well, what is shown of it is no longer true.
      hidden.contains(use) || before[use].map { Self.differ($0, devices) } ?? true
    }
    return Self.sorted(ended)
      + Self.sorted(
        others.map { use, devices in
          let verb = hidden.contains(use) ? "is no longer visible, and may still use" : use.verb
          return Self.notification(use.summary(verb), use, devices)
        })
  }

  /// What is in use: all that a service has to be told that knows of nothing.
  var current: [DesktopNotification] {
    Self.sorted(uses.map { Self.notification($0.key.summary($0.key.verb), $0.key, $0.value) })
  }

  /// Takes which devices a program that cannot be seen may use, once it may for a while.
  private mutating func takeDoubts(_ change: UseChange, _ now: ContinuousClock.Instant) {
    // Only a driver that told that nobody used the device tells this.
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

  /// What a person calls the device.
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

  /// More than anybody reads in passing.
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
    // Nobody knows that one has used it.
    program == .unseen
      ? "No hidden program uses \(noun)" : summary("no longer uses")
  }

  fileprivate var subject: String {
    [noun, name, place].compactMap(\.self).joined(separator: "\0")
  }
}
