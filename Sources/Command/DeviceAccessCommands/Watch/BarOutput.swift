internal import AccessModel

/// The JSON object that the custom module of a status bar reads.
///
/// Its texts are markup, in which the names of programs and devices are escaped.
struct BarOutput: Hashable, Encodable {
  let text: String
  let alt: String
  let tooltip: String
  let `class`: [String]

  /// The maximum number of lines in the tooltip.
  private static let mostLines = 32

  /// Creates the output, which omits programs that only feed a device or keep it open.
  ///
  /// - Parameters:
  ///   - facts: The users of the devices.
  ///   - paths: The requested paths that do not exist.
  ///   - activeUsers: Returns the users of a device that receive pictures or sound.
  init(
    _ facts: UseFacts, absent paths: [String] = [],
    naming activeUsers: (DeviceUse) -> [DeviceUser] = { $0.activeUsers }
  ) {
    var kinds: [String] = []
    var lines: [String] = []
    for use in facts.devices {
      let users = activeUsers(use)
      guard !users.isEmpty else { continue }
      let kind = use.kindName ?? "device"
      if !kinds.contains(kind) { kinds.append(kind) }
      let title = Markup.escape(use.device?.name ?? use.node)
      for user in users {
        let isHidden = use.hiddenHolders.contains { .holder($0) == user }
        let line = "\(title): \(Self.words(for: user))\(isHidden ? ", not visible" : "")"
        if !lines.contains(line) { lines.append(line) }
      }
    }
    if lines.count > Self.mostLines { lines = lines.prefix(Self.mostLines) + ["…"] }
    text = kinds.joined(separator: ", ")
    guard kinds.isEmpty else {
      alt = kinds.joined(separator: "-")
      `class` = ["active"] + kinds
      tooltip = lines.joined(separator: "\n")
      return
    }
    // A device that was not inspected must not be reported as unused.
    let absent = paths.map { "\(Markup.escape($0)) does not exist" }
    let isUntold = facts.devices.contains(where: \.hasUntoldClients)
    let isUnknown = isUntold || facts.devices.contains { facts.state(of: $0) == .unknown }
    if facts.devices.isEmpty {
      alt = "absent"
      lines = absent.isEmpty ? ["not found"] : absent
    } else {
      alt = isUnknown ? "unknown" : "idle"
      lines = [
        isUntold
          ? "a media server does not report who uses it"
          : isUnknown ? "no user found; some processes cannot be inspected" : "not in use"
      ]
      lines += absent
    }
    `class` = alt == "idle" ? ["idle"] : ["idle", alt]
    tooltip = lines.prefix(Self.mostLines).joined(separator: "\n")
  }

  private static func words(for user: DeviceUser) -> String {
    guard let name = user.name else { return "a program that cannot be identified" }
    return Markup.escape(name) + (user.processID.map { " (\($0))" } ?? "")
  }
}
