package import AccessModel
internal import Glibc
internal import MessageBus

/// The transient systemd timers that end grants.
package enum GrantTimer {
  /// A Boolean value that indicates whether systemd is running (sd_booted(3)).
  package static var isPossible: Bool { UnitBus.isManagerRunning }

  /// Returns whether a timer can end a grant, which also requires the path of the program to start.
  package static func isPossible(for program: String?) -> Bool { program != nil && isPossible }

  private static func unit(_ id: String) -> TransientUnit {
    TransientUnit(name: "devaccess-grant-\(id)", type: "timer")
  }

  /// Runs a command after a time; an existing timer of the same grant is kept.
  ///
  /// The time is measured by the monotonic clock, which stops while the system is suspended, and
  /// also by the calendar. The command runs when the first of them reaches the end.
  ///
  /// - Parameters:
  ///   - id: The ID of the grant.
  ///   - command: The absolute path of the program, and its arguments.
  ///   - seconds: The time until the end.
  ///   - end: The end as seconds since 1970.
  /// - Throws: `failed` if the manager rejects the timer.
  package static func start(
    _ id: String, _ command: [String], after seconds: Int64, at end: Int64
  ) throws(GrantError) {
    do throws(BusFailure) {
      try unit(id).start(
        "End of the devaccess grant \(id)", settings(after: seconds, at: end), running: command,
        again)
    } catch {
      // The existing timer belongs to this grant and has not elapsed yet.
      guard error.name != "org.freedesktop.systemd1.UnitExists" else { return }
      guard try run(id, command, after: seconds) else {
        throw GrantError(.failed, "systemd rejected the timer: \(error)")
      }
    }
  }

  /// Stops the timer of a grant, if the timer exists.
  package static func stop(_ id: String) { unit(id).stop() }

  private static func settings(after seconds: Int64, at end: Int64) -> [TransientUnit.Setting] {
    let microseconds = UInt64(max(seconds, 1)) * 1_000_000
    let settings: [(String, BusArgument)] = [
      (
        "TimersMonotonic",
        .array(of: "(st)", [.structure([.text("OnActiveSec"), .wide(microseconds)])])
      ),
      (
        "TimersCalendar",
        .array(of: "(ss)", [.structure([.text("OnCalendar"), .text(calendar(end))])])
      ),
      ("AccuracyUSec", .wide(1_000_000)), ("RemainAfterElapse", .boolean(false)),
    ]
    return settings.map { TransientUnit.Setting(name: $0.0, value: $0.1) }
  }

  /// The settings that make the service retry after a failure, such as a locked record.
  ///
  /// The service retries for at least half an hour. Exit status 3 means that the grant has already
  /// ended, which is not a failure.
  private static var again: [TransientUnit.Setting] {
    let none: BusArgument = .array(of: "i", [])
    let settings: [(String, BusArgument)] = [
      ("Restart", .text("on-failure")), ("RestartUSec", .wide(15_000_000)),
      ("RestartPreventExitStatus", .structure([.array(of: "i", [.signed(3)]), none])),
      ("StartLimitIntervalUSec", .wide(86_400_000_000)), ("StartLimitBurst", .unsigned(120)),
    ]
    return settings.map { TransientUnit.Setting(name: $0.0, value: $0.1) }
  }

  /// Returns a time in the format of systemd.time(7).
  private static func calendar(_ seconds: Int64) -> String {
    var moment = time_t(seconds)
    var parts = unsafe tm()
    unsafe gmtime_r(&moment, &parts)
    let date = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday]
    let time = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
    return "\(joined(date, "-")) \(joined(time, ":")) UTC"
  }

  private static func joined(_ numbers: [Int32], _ separator: String) -> String {
    numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: separator)
  }

  /// Starts the timer with systemd-run(1), which can reach the manager without the message bus.
  private static func run(
    _ id: String, _ command: [String], after seconds: Int64
  ) throws(GrantError) -> Bool {
    let line =
      ["systemd-run", "--quiet"] + TransientUnit.managerOption
      + [
        "--unit=devaccess-grant-\(id)", "--on-active=\(seconds)",
        "--timer-property=AccuracySec=1s",
        // These are the same settings as in `again`.
        "--property=Restart=on-failure", "--property=RestartSec=15",
        "--property=RestartPreventExitStatus=3", "--property=StartLimitIntervalSec=1d",
        "--property=StartLimitBurst=120", "--",
      ] + command
    do throws(Errno) {
      return try SystemProgram.run(line) == 0
    } catch {
      return false
    }
  }
}

/// The transient systemd path units that restore a grant after a session switch.
///
/// When a session ends or becomes inactive, logind removes its user's entry from the devices of the
/// seat (`devnode_acl`), even if another program has set the entry. Afterwards, logind writes the
/// state of the seat, which triggers the unit (systemd.path(5)).
package enum SessionSwitchUnit {
  /// A Boolean value that indicates whether the caller is root and systemd and logind are running.
  ///
  /// Only root can share the devices of a seat.
  package static var isPossible: Bool {
    unsafe geteuid() == 0 && UnitBus.isManagerRunning && access(SeatSwitches.folder, F_OK) == 0
  }

  private static func unit(_ id: String) -> TransientUnit {
    TransientUnit(name: "devaccess-again-\(id)", type: "path")
  }

  /// Runs a command after each change to a seat.
  ///
  /// - Parameters:
  ///   - id: The ID of the grant.
  ///   - command: The absolute path of the program, and its arguments.
  /// - Throws: `failed` if the manager rejects the unit.
  package static func start(_ id: String, _ command: [String]) throws(GrantError) {
    let paths: BusArgument = .array(
      of: "(ss)", [.structure([.text("PathChanged"), .text(SeatSwitches.folder)])])
    do throws(BusFailure) {
      try unit(id).start(
        "The devaccess grant \(id) after a switch of sessions",
        [TransientUnit.Setting(name: "Paths", value: paths)], running: command,
        [
          TransientUnit.Setting(name: "Type", value: .text("oneshot")),
          // A grant that has already ended must not leave a failed unit behind.
          TransientUnit.Setting(name: "CollectMode", value: .text("inactive-or-failed")),
          // A user who cycles through all sessions causes more starts than systemd's default limit
          // permits.
          TransientUnit.Setting(name: "StartLimitIntervalUSec", value: .wide(0)),
        ])
    } catch {
      throw GrantError(.failed, "systemd rejected the unit: \(error)")
    }
  }

  /// Stops the unit of a grant, if the unit exists.
  package static func stop(_ id: String) { unit(id).stop() }
}

/// Detects the seat changes that logind records when sessions are switched.
///
/// A systemd path unit does not see changes that occur while its service runs, so the service
/// checks for them itself.
package struct SeatSwitches: ~Copyable {
  /// The directory in which logind writes the states of seats.
  static let folder = "/run/systemd/seats"

  private let notifier: OwnedDescriptor

  /// Starts to record changes; `nil` without logind or if the directory cannot be watched.
  package init?() {
    let mask = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE)
    guard let notifier = try? FileNotifier.open(),
      (try? FileNotifier(descriptor: notifier.number).add(Self.folder, mask)) != nil
    else { return nil }
    self.notifier = notifier
  }

  /// Waits for a change; several earlier changes count as one.
  ///
  /// - Parameter seconds: The maximum time to wait.
  /// - Returns: `true` if there was a change.
  package borrowing func happen(within seconds: Int32) -> Bool {
    var waiting = pollfd(fd: notifier.number, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&waiting, 1, seconds * 1000) > 0 else { return false }
    let changes = FileNotifier(descriptor: notifier.number)
    changes.drain(.all, where: { _, _ in false }, { _ in })
    return true
  }
}

/// A systemd unit that exists until it is stopped or the system shuts down, and its service.
///
/// Root's units belong to the system manager, and those of other users to their own managers. See
/// `StartTransientUnit` in org.freedesktop.systemd1(5).
struct TransientUnit {
  /// A setting of a unit, with its D-Bus name.
  struct Setting {
    let name: String
    let value: BusArgument
  }

  /// The name of the unit and of its service, without the type.
  let name: String
  /// The type of the unit, `timer` or `path`.
  let type: String

  /// The option that selects the same manager in systemctl(1) and systemd-run(1).
  static var managerOption: [String] { geteuid() == 0 ? [] : ["--user"] }

  private var fullName: String { "\(name).\(type)" }

  /// Starts the unit.
  ///
  /// - Parameters:
  ///   - description: The description of the unit.
  ///   - settings: The settings that determine when the service starts.
  ///   - command: The absolute path of the program that the service runs, and its arguments.
  ///   - serviceSettings: Further settings of the service.
  /// - Throws: The reason why the manager rejected the unit.
  func start(
    _ description: String, _ settings: [Setting], running command: [String],
    _ serviceSettings: [Setting] = []
  ) throws(BusFailure) {
    let line: BusArgument = .structure([
      .text(command.first ?? ""), .array(of: "s", command.map { .text($0) }), .boolean(false),
    ])
    let description = Setting(name: "Description", value: .text(description))
    let service =
      [description, Setting(name: "ExecStart", value: .array(of: "(sasb)", [line]))]
      + serviceSettings
    try Self.call(
      "StartTransientUnit",
      [
        .text(fullName), .text("fail"), Self.settings([description] + settings),
        .array(
          of: "(sa(sv))", [.structure([.text("\(name).service"), Self.settings(service)])]),
      ])
  }

  /// Stops the unit, if it exists.
  func stop() {
    do throws(BusFailure) {
      try Self.call("StopUnit", [.text(fullName), .text("replace")])
    } catch {
      // The manager responded that the unit does not exist.
      if error.name == "org.freedesktop.systemd1.NoSuchUnit" { return }
      // systemctl(1) prints an error if the unit or the manager does not exist, so check first.
      let systemctl = ["systemctl"] + Self.managerOption
      let question = systemctl + ["--quiet", "is-active", fullName]
      guard (try? SystemProgram.run(question, isQuiet: true)) == 0 else { return }
      _ = try? SystemProgram.run(systemctl + ["stop", fullName])
    }
  }

  private static func settings(_ settings: [Setting]) -> BusArgument {
    .array(of: "(sv)", settings.map { .structure([.text($0.name), .variant($0.value)]) })
  }

  private static func call(_ member: String, _ arguments: [BusArgument]) throws(BusFailure) {
    let service = "org.freedesktop.systemd1"
    let bus = try BusConnection(geteuid() == 0 ? .system : .user)
    _ = try bus.call(
      BusCall(service, "/org/freedesktop/systemd1", "\(service).Manager", member, arguments),
      within: .seconds(10), limits: BusLimits(text: 4096, values: 16, depth: 4))
  }
}

/// The unit file that makes systemd end expired grants on files when it starts.
///
/// A transient timer disappears with its manager, at the user's last logout or at a shutdown, but
/// an entry in the ACL of a file remains.
package struct LoginUnit: Hashable, Sendable {
  /// The absolute path of the folder with unit files.
  package let folder: String
  /// The target that the manager reaches each time it starts.
  package let target: String

  package init(folder: String, target: String) {
    self.folder = folder
    self.target = target
  }

  /// The unit for root, which the system manager starts at boot.
  package static let ofSystem = LoginUnit(
    folder: "/etc/systemd/system", target: "multi-user.target")

  /// Returns the unit for a user, which the user's manager starts at the first login.
  package static func of(home: String) -> LoginUnit {
    LoginUnit(folder: "\(home)/.config/systemd/user", target: "default.target")
  }

  private static let name = "devaccess-grants.service"
  private var wants: String { "\(folder)/\(target).wants" }

  /// Writes a unit that runs a program to end expired grants whenever the manager starts.
  ///
  /// - Parameter program: The absolute path of `devaccess`.
  /// - Throws: `failed` if the unit cannot be written.
  package func write(_ program: String) throws(GrantError) {
    guard let text = text(program) else {
      throw GrantError(
        .failed, at: program,
        "systemd cannot start a program with this name, so it could not end the grant")
    }
    do throws(Errno) {
      // Kept in variables, because a temporary value would be closed before its number is used.
      let folder = try TrustedFolder.open(folder, makingWith: 0o755)
      try WholeFile.write(
        Array(text.utf8), named: Self.name, by: ".\(Self.name)", in: folder.number,
        mode: 0o644)
      let wants = try TrustedFolder.open(wants, makingWith: 0o755)
      if unsafe symlinkat("../\(Self.name)", wants.number, Self.name) != 0,
        Errno.current != .exists
      {
        throw .current
      }
      try Errno.check(fsync(wants.number))
    } catch {
      throw GrantError(
        at: "\(folder)/\(Self.name)", unableTo: "have systemd end the grant after a logout", error)
    }
  }

  /// Removes the unit, if it exists.
  package func remove() {
    for path in [wants, folder] {
      guard let place = try? TrustedFolder.open(path) else { continue }
      unsafe unlinkat(place.number, Self.name, 0)
    }
  }

  private func text(_ program: String) -> String? {
    guard let word = Self.word(program) else { return nil }
    return """
      # Written by 'devaccess grant', and removed with the last grant on a file that has an end.
      [Unit]
      Description=End of the devaccess grants that are over
      Documentation=man:devaccess-grant(1)
      StartLimitIntervalSec=1d
      StartLimitBurst=120

      [Service]
      Type=oneshot
      ExecStart=\(word) revoke --overdue
      # While another program holds the record.
      Restart=on-failure
      RestartSec=15

      [Install]
      WantedBy=\(target)

      """
  }

  /// Returns a path as a word for ExecStart=; `nil` if systemd rejects it (`string_is_safe`).
  private static func word(_ path: String) -> String? {
    let isSafe = path.utf8.allSatisfy { $0 >= 0x20 && ![0x22, 0x27, 0x5C, 0x7F].contains($0) }
    // systemd replaces specifiers here, but not environment variables.
    return isSafe ? "\"\(path.doubling("%"))\"" : nil
  }
}
