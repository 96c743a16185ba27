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
