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

  init() {}

  /// The notifications for a change: for the state in which watching begins, of what is in use.
  mutating func take(_ change: UseChange) -> [DesktopNotification] {
    let before = uses
    // Only a driver that told that nobody used the device tells this.
    doubtful += change.events.filter { $0.action == .unknown }.map(\.device)
    doubtful = change.facts.devices.filter { device in
      doubtful.contains { Self.isSame(device, $0) } && change.facts.state(of: device) != .free
    }
    uses = Self.uses(in: change.facts.devices)
    for device in doubtful {
      uses[Use(noun: Self.noun(device), program: .unseen), default: []].append(device)
    }
    let hidden = Set(
      change.events.filter { $0.action == .hidden }.compactMap { event in
        event.user.map { Use($0, of: event.device) }
      })
    let ended = before.filter { uses[$0.key] == nil }
      .map { Self.notification("no longer uses", $0.key, $0.value) }
    let others = uses.filter { use, devices in
      // Where it uses another one as well, what is shown of it is no longer true.
      hidden.contains(use) || before[use].map { Self.differ($0, devices) } ?? true
    }
    return Self.sorted(ended)
      + Self.sorted(
        others.map { use, devices in
          let verb = hidden.contains(use) ? "can no longer be seen, and may still use" : use.verb
          return Self.notification(verb, use, devices)
        })
  }

  /// What is in use: all that a service has to be told that knows of nothing.
  var current: [DesktopNotification] {
    Self.sorted(uses.map { Self.notification($0.key.verb, $0.key, $0.value) })
  }

  private static func uses(in devices: [DeviceUse]) -> [Use: [DeviceUse]] {
    var uses: [Use: [DeviceUse]] = [:]
    for device in devices {
      for use in Set(device.activeUsers.map { Use($0, of: device) }) {
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
    _ verb: String, _ use: Use, _ devices: [DeviceUse]
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
      program: "devaccess", icon: icon, summary: "\(use.name) \(verb) \(use.noun)",
      body: text { Escaped($0, limit: Markup.limit).description },
      markup: text { Markup.escape($0) }, subject: use.subject)
  }

  /// More than anybody reads in passing.
  private static let mostDevices = 4
}

extension UseNotifications.Use {
  fileprivate init(_ user: DeviceUser, of device: DeviceUse) {
    let place =
      if case .holder(let holder) = user {
        holder.process.application ?? holder.process.containerWords?.joined(separator: " ")
      } else {
        user.application
      }
    self.init(
      noun: UseNotifications.noun(device),
      program: user.name.map { .named($0, place: place) } ?? .unnamed)
  }

  fileprivate var name: String {
    switch program {
    case .named(let name, _): Escaped(name, limit: 64).description
    case .unnamed: "A program"
    case .unseen: "A program that cannot be seen"
    }
  }

  fileprivate var place: String? {
    if case .named(_, let place) = program { place } else { nil }
  }

  fileprivate var verb: String { program == .unseen ? "may use" : "uses" }

  fileprivate var subject: String {
    [noun, name, place].compactMap(\.self).joined(separator: "\0")
  }
}
