internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// The `devaccess grant` command.
struct GrantCommand {
  /// The action of the command.
  enum Action: Equatable, Sendable {
    case grant(GrantRequest)
    /// Applies a grant again to a device that was reconnected.
    case renew(String, path: String, settles: Bool)
  }

  var action: Action
  var isDry = false
  /// The command line that an error suggests to run as root.
  var line = ""
}

extension GrantCommand: Command {
  static let declaration = CommandDeclaration(
    name: .grant,
    summary: "give a user access to one device for a while",
    operand: .kindOrPath,
    options: [.user, .read, .write, .for, .permanent, .dryRun, .again, .settle, .json],
    details: """
      Adds an entry for the user to the access control list, for an hour unless --for or --permanent is \
      given. PATH may also be your album, or a file or directory in it. Requires root, or ownership of \
      the device or file.
      """,
    examples: [
      ("sudo devaccess grant camera --user alice", "give access for an hour"),
      ("sudo devaccess grant /dev/ttyUSB0 --user alice --for 10min", "give it for ten minutes"),
      ("devaccess grant camera --user alice --dry-run", "show what the grant would do"),
    ])

  static func check(_ arguments: CommandArguments) throws(UsageError) {
    guard !arguments.operands.isEmpty else {
      throw arguments.error(
        "specify the kind or path to grant access to, such as 'devaccess grant camera --user alice'"
      )
    }
    // The user typed `grant camera alice` or `grant alice camera`.
    if arguments.operands.count == 2, !arguments.contains(.user), !arguments.contains(.again),
      let user = arguments.operands.last(where: { !OperandReader.isKindOrPath($0) })
    {
      throw arguments.error(
        "unexpected argument '\(Self.shown(user))'; to give access to user \(Self.shown(user)), use "
          + "'--user \(Self.shown(user))'")
    }
  }

  init(_ arguments: CommandArguments) throws(UsageError) {
    let word = arguments.operands.first ?? ""
    let target = try OperandReader.target(word, for: .grant, fileExists: arguments.fileExists)
    if let id = arguments.value(.again) {
      let others: [OptionName] = [.user, .read, .write, .for, .permanent, .dryRun]
      if let other = others.first(where: arguments.contains) {
        throw arguments.error("--again and --\(other.rawValue) cannot be used together")
      }
      guard AccessGrant.isID(id), case .path(let path) = target else {
        throw arguments.error("--again takes the ID of a grant, and the path of its device")
      }
      action = .renew(id, path: path, settles: arguments.contains(.settle))
      return
    }
    guard !arguments.contains(.settle) else {
      throw arguments.error("--settle requires --again")
    }
    guard case .user(let user) = try arguments.subject().selector else {
      throw arguments.error(
        "specify the user with --user, such as 'devaccess grant \(Self.shown(word)) --user alice'")
    }
    var permissions: Permissions = []
    if arguments.contains(.read) { permissions.insert(.read) }
    if arguments.contains(.write) { permissions.insert(.write) }
    var lifetime = GrantRequest.Lifetime.seconds(GrantRequest.usual)
    if arguments.contains(.permanent) {
      guard !arguments.contains(.for) else {
        throw arguments.error("--for and --permanent cannot be used together")
      }
      lifetime = .permanent
    } else if let time = arguments.value(.for) {
      lifetime = .seconds(try GrantTime.seconds(time))
    }
    action = .grant(
      GrantRequest(
        target, to: user, for: permissions.isEmpty ? nil : permissions, lifetime: lifetime))
    isDry = arguments.contains(.dryRun)
    line = "grant " + arguments.commandLine
  }

  private static func shown(_ word: String) -> String { Escaped(word, limit: 80).description }

  func run(_ context: CommandRun) async throws -> ExitStatus {
    switch action {
    case .renew(let id, let path, let settles):
      let renewed: StandingGrant
      do throws(GrantError) {
        renewed = try await Contractors().grants.renew(id, at: path, settles: settles)
      } catch {
        throw CommandFailure(error, "renew the grant")
      }
      return try context.json ? context.show(json: RevokeOutput([renewed], of: .grant)) : .allowed
    case .grant(let request):
      if isDry { return try await plan(request, context) }
      return try await grant(request, context)
    }
  }

  private func plan(_ request: GrantRequest, _ context: CommandRun) async throws -> ExitStatus {
    let report = try await planned(request)
    if context.json { return try context.show(json: GrantOutput(report, isDry: true)) }
    return try context.show(GrantText(report: report, style: context.style).plan)
  }

  private func grant(_ request: GrantRequest, _ context: CommandRun) async throws -> ExitStatus {
    if request.lifetime == .permanent, !context.json {
      // The rule is shown before it is written.
      let report = try await planned(request)
      _ = try context.show(GrantText(report: report, style: context.style).rule)
    }
    // If this command has to end the grant, a signal must not terminate the command first. The
    // signal handlers were installed before the first thread started.
    let ending = Contractors().grants.endsWithCaller ? context.ending?(false) : nil
    let report: GrantReport
    do throws(GrantError) {
      report = try await Contractors().grants.grant(request)
    } catch {
      throw failure(error)
    }
    guard report.ending == .caller, !report.isAllowedAlready, let deadline = report.grant.deadline
    else { return try show(report, context) }
    let status: ExitStatus
    do {
      status = try show(report, context)
    } catch {
      // If a grant cannot be reported, it must be revoked.
      try await end(report)
      throw error
    }
    let (grants, id) = (Contractors().grants, report.grant.id)
    let wait = GrantWait(deadline: deadline, ending: ending) { await grants.waitForEnd(of: id) }
    if await !wait.wait() { try await end(report) }
    return status
  }

  private func show(_ report: GrantReport, _ context: CommandRun) throws -> ExitStatus {
    try context.json
      ? context.show(json: GrantOutput(report, isDry: false))
      : context.show(GrantText(report: report, style: context.style).text)
  }

  private func planned(_ request: GrantRequest) async throws(CommandFailure) -> GrantReport {
    do throws(GrantError) {
      return try await Contractors().grants.plan(request)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: GrantError) -> CommandFailure {
    CommandFailure(error, "grant access to", line)
  }

  private func end(_ report: GrantReport) async throws(CommandFailure) {
    do throws(GrantError) {
      try await Contractors().grants.revoke(.id(report.grant.id))
    } catch {
      let failure = CommandFailure(error, "revoke the grant")
      // Another process may have ended the grant already.
      if failure.status != .absent { throw failure }
    }
  }
}

/// Parses and formats time spans in the syntax of systemd.time(7), such as `90` or `1h 30min`.
enum GrantTime {
  /// The names of each unit, and its length in seconds.
  private static let units: [(names: [String], seconds: Int64)] = [
    (["s", "sec", "second", "seconds"], 1), (["m", "min", "minute", "minutes"], 60),
    (["h", "hr", "hour", "hours"], 3_600), (["d", "day", "days"], 86_400),
    (["w", "week", "weeks"], 604_800),
  ]

  /// Parses the value of `--for`.
  ///
  /// - Throws: ``UsageError`` if the value is not a time span from one second to thirty days.
  /// - Returns: The number of seconds.
  static func seconds(_ text: String) throws(UsageError) -> Int64 {
    guard let seconds = parse(text), (1...GrantRequest.longest).contains(seconds) else {
      throw UsageError(
        "--for takes a time from 1s to 30d, such as 10min or '1h 30min', not "
          + "'\(Escaped(text, limit: 80))'",
        command: .grant)
    }
    return seconds
  }

  private static func parse(_ text: String) -> Int64? {
    guard text.utf8.count <= 64 else { return nil }
    var rest = text.utf8[...]
    var total: Int64 = 0
    while true {
      rest = rest.drop { $0 == UInt8(ascii: " ") }
      guard !rest.isEmpty else { return text.isEmpty ? nil : total }
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      rest = rest.dropFirst(digits.count).drop { $0 == UInt8(ascii: " ") }
      let name = rest.prefix { !(0x30...0x39).contains($0) && $0 != UInt8(ascii: " ") }
      rest = rest.dropFirst(name.count)
      guard let number = Int64(String(Substring(digits))),
        let unit = name.isEmpty ? 1 : unit(String(Substring(name)))
      else { return nil }
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: unit)
      // The bound exceeds every valid value and keeps the sum from overflowing.
      guard !isTooLarge, product <= 1 << 40 else { return nil }
      total += product
    }
  }

  private static func unit(_ name: String) -> Int64? {
    units.first { $0.names.contains(name) }?.seconds
  }

  /// Formats a number of seconds in the largest possible units, such as `1 h 30 min`.
  static func text(_ seconds: Int64) -> String {
    var rest = seconds
    var parts: [String] = []
    for (name, size) in [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)] as [(String, Int64)]
    where rest >= size {
      parts.append("\(rest / size) \(name)")
      rest %= size
    }
    return parts.isEmpty ? "0 s" : parts.joined(separator: " ")
  }
}

/// Waits for the end of a grant that has no timer.
struct GrantWait {
  /// The time at which the grant ends, on the clock of ``GrantReport/uptime``.
  let deadline: Int64
  /// A stream that yields when the command should end early; `nil` if there is none.
  let ending: AsyncStream<Void>?
  /// Waits until another program ends the grant, and returns `false` if that cannot be observed.
  let revocation: @Sendable () async -> Bool

  /// Waits for the deadline, an early end or a revocation, whichever is first.
  ///
  /// - Returns: `true` if another program ended the grant.
  func wait() async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        while !Task.isCancelled {
          let rest = deadline - GrantReport.uptime
          guard rest > 0 else { return false }
          await OneShotTimer.wait(until: .now.advanced(by: .seconds(rest)))
        }
        return false
      }
      if let ending {
        group.addTask {
          for await _ in ending { break }
          return false
        }
      }
      group.addTask {
        if await revocation() { return true }
        // A revocation cannot be observed, so one of the other tasks ends the wait.
        while !Task.isCancelled {
          await OneShotTimer.wait(until: .now.advanced(by: .seconds(3600)))
        }
        return false
      }
      let isRevoked = await group.next() ?? false
      group.cancelAll()
      return isRevoked
    }
  }
}
