internal import AccessModel

/// The output of `devaccess users`: one line per device and process, and notes about missing facts.
struct UsersText: Sendable {
  let answer: UsersAnswer
  /// The operands, as the user typed them.
  var words: [String] = []
  var isVerbose = false
  /// A Boolean value that indicates whether the text stays on a screen.
  ///
  /// If so, it contains times instead of ages, which would become wrong.
  var isLasting = false
  let style: Style

  private var facts: UseFacts { answer.facts }

  var text: String {
    var lines: [String] = []
    if !facts.devices.isEmpty {
      var columns = Columns()
      columns.add(["DEVICE", "PROCESS", "PID", "USER", "UNIT", "HOW"], tone: .heading)
      var details: [[String]] = [[]]
      for use in facts.devices { add(use, to: &columns, &details) }
      for (row, more) in zip(columns.lines(style: style), details) {
        lines.append(row)
        lines += more
      }
    }
    for kind in answer.absentKinds { lines.append("no \(style.safe(kind.name)) devices") }
    let notes = notes
    if !notes.isEmpty, !facts.devices.isEmpty { lines.append("") }
    lines += notes
    // Paths that could not be inspected are reported on standard error.
    if lines.isEmpty { return "" }
    return lines.joined(separator: "\n") + "\n"
  }

  private func add(_ use: DeviceUse, to columns: inout Columns, _ details: inout [[String]]) {
    let node = style.safe(use.node, limit: 4096)
    for holder in use.holders {
      let process = holder.process
      let words = HolderText(holder, style)
      columns.add([
        (node, nil), (style.safe(process.name, limit: 32), nil), (String(process.id), nil),
        (words.user ?? "?", nil), (words.place ?? "", nil),
        (how(holder, of: use), holder.hold.activity == .streaming ? .bad : nil),
      ])
      details.append(isVerbose ? more(holder) : [])
      for client in holder.clients ?? [] {
        add(client, of: node, through: process, to: &columns)
        details.append([])
      }
    }
    for _ in 0..<min(use.unnamedHolders, 64) {
      columns.add([(node, nil), ("a process that cannot be identified", .unsure)])
      details.append([])
    }
    switch facts.state(of: use) {
    case .used: return
    case .free: columns.add([(node, nil), ("not in use", .good)])
    case .unknown: columns.add([(node, nil), ("no user found", .unsure)])
    }
    details.append([])
  }

  private func add(
    _ client: MediaClient, of node: String, through server: HoldingProcess,
    to columns: inout Columns
  ) {
    let how =
      "through \(style.safe(server.name, limit: 32)), "
      + (client.isStreaming ? "streaming" : "not streaming")
    let words = HolderText(client, style)
    columns.add([
      (node, nil), (style.safe(client.name, limit: 32), nil),
      (client.processID.map { String($0) } ?? "", nil), (words.user ?? "", nil),
      (words.place ?? "", nil), (how, client.isStreaming ? .bad : nil),
    ])
  }

  private func how(_ holder: DeviceHolder, of use: DeviceUse) -> String {
    var parts: [String] = []
    if let access = holder.hold.access {
      let letters =
        (access.contains(.read) ? "r" : "-") + (access.contains(.write) ? "w" : "-")
      parts.append(letters)
    } else if !holder.hold.isMapped, holder.hold.activity == nil {
      parts.append("open")
    }
    if holder.hold.isMapped { parts.append("mapped") }
    switch holder.hold.activity {
    case .streaming:
      let age = age(since: holder.hold.streamingSince) { "for \($0)" }
      parts.append("streaming" + (age.map { " \($0)" } ?? ""))
    case .idle: parts.append("not streaming")
    case nil: break
    }
    if let direction = use.directionText(of: holder) { parts.append(direction) }
    if holder.process.isMediaServer { parts.append("media server") }
    return parts.joined(separator: ", ")
  }

  /// Returns the elapsed time, or the start time if the text stays on a screen.
  private func age(since start: Int64?, _ words: (Elapsed) -> String) -> String? {
    isLasting
      ? start.map { "since \(Timestamp(seconds: $0).localText())" }
      : Elapsed(since: start, at: facts.observedAt).map(words)
  }

  /// Returns the lines that `--verbose` adds below a process.
  private func more(_ holder: DeviceHolder) -> [String] {
    let process = holder.process
    var parts = [process.executable.map { style.safe($0, limit: 4096) } ?? "program not visible"]
    if let age = age(since: process.started, { "started \($0) ago" }) {
      parts.append(isLasting ? "runs \(age)" : age)
    }
    let count = holder.hold.descriptors
    if count > 0 { parts.append("\(count) descriptor\(count == 1 ? "" : "s")") }
    parts += HolderText(holder, style).details
    return Wrapping.lines(
      parts.joined(separator: "; "), width: style.width, first: "    ", rest: "    ")
  }

  // MARK: - Missing facts

  private var notes: [String] {
    var notes: [String] = []
    let servers = Set(
      facts.devices.flatMap(\.holders).filter { $0.clients == nil }.map(\.process)
        .filter { $0.isMediaServer && !$0.isSessionManager }.map { style.safe($0.name, limit: 32) })
    if !servers.isEmpty {
      let list = servers.sorted().joined(separator: " and ")
      notes += wrapped("Through \(list): the programs that use the device this way are unknown.")
    }
    // A driver that reports its users reports all of them.
    guard facts.devices.contains(where: { !$0.isToldByDriver }) else { return notes }
    return notes + unseenNotes
  }

  private var unseenNotes: [String] {
    let unseen = facts.unseen
    var notes: [String] = []
    if unseen.count > 0 || unseen.reasons.contains(.hidden) {
      let who =
        switch unseen.count {
        case ..<1: "Processes of other users"
        case 1: "1 process"
        default: "\(unseen.count) processes"
        }
      let start = "\(who) could not be inspected"
      if unseen.needsAdministrator {
        // Do not wrap a command.
        notes.append("\(start); to see more: sudo devaccess users\(arguments)")
      } else if unseen.reasons.contains(.refused) {
        notes += wrapped(
          "\(start): access was denied even with CAP_SYS_PTRACE. "
            + "If devaccess runs in a user namespace, run it outside that namespace.")
      } else {
        notes += wrapped("\(start): reading failed.")
      }
    }
    if unseen.reasons.contains(.outside) {
      notes += wrapped(
        "Processes outside this PID namespace are not visible; run devaccess outside it.")
    }
    return notes
  }

  private func wrapped(_ text: String) -> [String] {
    Wrapping.lines(text, width: style.width, rest: "  ")
  }

  private var arguments: String {
    words.map { " " + style.command($0.shellQuoted) }.joined()
  }
}

/// An elapsed time, described with one number and its unit.
struct Elapsed: Hashable, Sendable, CustomStringConvertible {
  private let seconds: Int64

  /// Creates the time that elapsed between two times in seconds since the epoch.
  ///
  /// The result is `nil` if one of them is unknown, or if the clock was set back in between.
  init?(since start: Int64?, at now: Int64?) {
    guard let start, let now, now >= start else { return nil }
    let (seconds, overflow) = now.subtractingReportingOverflow(start)
    guard !overflow else { return nil }
    self.seconds = seconds
  }

  var description: String {
    switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86400) days"
    }
  }
}
