internal import AccessModel
internal import DevicePermissions
internal import JSONText
internal import LinuxDevices
internal import Synchronization

/// Writes the state for a status bar whenever it changes.
final class BarWriter: Sendable {
  private struct State {
    var servers = MediaServerDelay()
    var latest: UseChange?
    var shown: BarOutput?
    /// The pause after which the latest change is handled again.
    var pause: OneShotTimer?
  }

  private let output: any TextSink
  private let state = Mutex(State())
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init(_ output: any TextSink) {
    self.output = output
    (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Writes the state after a change.
  func take(_ change: UseChange) throws { try write(change) }

  /// Writes the states that result when a use has lasted for a while, until the task is cancelled.
  func run() async throws {
    for await _ in signals { try write(nil) }
  }

  /// Writes the state if it has changed; the lock keeps states in order and makes other writers
  /// wait.
  private func write(_ change: UseChange?) throws {
    let before = try state.withLock { state in
      guard let latest = change ?? state.latest else { return nil as OneShotTimer? }
      state.latest = latest
      state.servers.take(latest.facts, at: .now)
      let bar = BarOutput(latest.facts, absent: latest.absentPaths) { [servers = state.servers] in
        servers.users(of: $0)
      }
      if bar != state.shown { try output.write(JSONWriter.encode(bar) + "\n") }
      state.shown = bar
      defer {
        state.pause = state.servers.due.map { due in
          OneShotTimer(until: due) { [signal] in signal.yield() }
        }
      }
      return state.pause
    }
    // Release the previous pause outside the lock.
    _ = before
  }
}

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
    let hidesClients = facts.devices.contains(where: \.hasUntoldClients)
    let isUnknown = hidesClients || facts.devices.contains { facts.state(of: $0) == .unknown }
    if facts.devices.isEmpty {
      alt = "absent"
      lines = absent.isEmpty ? ["not found"] : absent
    } else {
      alt = isUnknown ? "unknown" : "idle"
      lines = [
        hidesClients
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
