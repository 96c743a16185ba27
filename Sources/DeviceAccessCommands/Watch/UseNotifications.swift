internal import AccessModel
internal import DevicePermissions
internal import LinuxDevices

/// What is worth a notification: the programs that get pictures or sound, as far as they changed.
struct UseNotifications: Sendable {
  /// A program and what it uses; several nodes of one kind are one.
  private struct Use: Hashable {
    var noun: String
    var program: String?
  }

  /// What is in use, each with the first device of it.
  private var before: [Use: DeviceUse] = [:]

  init() {}

  /// The notifications for a change: for the state in which watching begins, of what is in use.
  mutating func take(_ change: UseChange) -> [DesktopNotification] {
    var now: [Use: DeviceUse] = [:]
    for device in change.facts.devices {
      for user in device.activeUsers {
        let use = Use(noun: Self.noun(device), program: user.name)
        if now[use] == nil { now[use] = device }
      }
    }
    defer { before = now }
    func notifications(
      of uses: [Use: DeviceUse], without others: [Use: DeviceUse], _ verb: String
    ) -> [DesktopNotification] {
      uses.filter { others[$0.key] == nil }
        .map { use, device in
          let program = use.program.map { Escaped($0, limit: 64).description } ?? "A program"
          return Self.notification(
            "\(program) \(verb) \(use.noun)", device, subject: "\(use.noun)\0\(program)")
        }
        .sorted { $0.summary < $1.summary }
    }
    let hidden = Set(
      change.events.filter { $0.action == .hidden }.map { event in
        Use(noun: Self.noun(event.device), program: event.user?.name)
      })
    // Only a driver that told that nobody used the device tells this.
    let unknown = change.events.filter { $0.action == .unknown }.map { event in
      Self.notification(
        "A program that cannot be seen may use \(Self.noun(event.device))", event.device,
        subject: Self.noun(event.device))
    }
    return notifications(of: before, without: now, "no longer uses")
      + notifications(
        of: now.filter { hidden.contains($0.key) }, without: [:],
        "can no longer be seen, and may still use")
      + notifications(of: now, without: before, "uses") + unknown
  }

  /// What a person calls the device.
  private static func noun(_ device: DeviceUse) -> String {
    device.kindName.map { "the \($0)" } ?? Escaped(device.node).description
  }

  private static func notification(
    _ summary: String, _ device: DeviceUse, subject: String
  ) -> DesktopNotification {
    let icon =
      switch device.kindName {
      case DeviceKind.camera.name: "camera-web"
      case DeviceKind.microphone.name: "audio-input-microphone"
      default: "dialog-information"
      }
    let parts = [device.device?.name, device.node].compactMap(\.self)
    return DesktopNotification(
      program: "devaccess", icon: icon, summary: summary,
      body: parts.map { Escaped($0, limit: Markup.limit).description }.joined(separator: ", "),
      markup: parts.map { Markup.escape($0) }.joined(separator: ", "), subject: subject)
  }
}
