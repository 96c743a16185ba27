package import AccessModel
internal import Glibc
internal import MessageBus

/// The transient timers of systemd that end grants.
package enum GrantTimer {
  /// Whether systemd runs, by the directory that sd_booted(3) names.
  package static var isPossible: Bool { UnitBus.isManagerRunning }

  /// The name of the timer of a grant, and of the service that it starts.
  private static func unit(_ id: String, _ type: String) -> String {
    "devaccess-grant-\(id).\(type)"
  }

  /// Has a command run after a time.
  ///
  /// The time is counted twice: by the clock that nobody sets, which stands still while the system
  /// sleeps, and by that of the calendar. The first to be over counts.
  ///
  /// - Parameters:
  ///   - id: What the grant is called.
  ///   - command: The absolute path of the program, and its arguments.
  ///   - seconds: The time.
  ///   - end: The same moment in seconds since 1970.
  /// - Throws: `failed` where the manager does not take the timer.
  package static func start(
    _ id: String, _ command: [String], after seconds: Int64, at end: Int64
  ) throws(GrantError) {
    do throws(BusFailure) {
      try call("StartTransientUnit", arguments(id, command, after: seconds, at: end))
    } catch {
      guard try run(id, command, after: seconds) else {
        throw GrantError(.failed, "systemd does not take the timer: \(error)")
      }
    }
  }

  /// Takes the timer of a grant away; one that is not there is no error.
  package static func stop(_ id: String) {
    do throws(BusFailure) {
      try call("StopUnit", [.text(unit(id, "timer")), .text("replace")])
    } catch {
      // The manager itself says that there is no such timer.
      guard error.name.isEmpty else { return }
      _ = try? SystemProgram.run(["systemctl", "stop", unit(id, "timer")])
    }
  }

  // MARK: - The bus

  private static func arguments(
    _ id: String, _ command: [String], after seconds: Int64, at end: Int64
  ) -> [BusArgument] {
    func property(_ name: String, _ value: BusArgument) -> BusArgument {
      .structure([.text(name), .variant(value)])
    }
    let microseconds = UInt64(max(seconds, 1)) * 1_000_000
    let start: BusArgument = .structure([
      .text(command.first ?? ""), .array(of: "s", command.map { .text($0) }), .boolean(false),
    ])
    let timer = [
      property("Description", .text("End of the devaccess grant \(id)")),
      property(
        "TimersMonotonic",
        .array(of: "(st)", [.structure([.text("OnActiveSec"), .wide(microseconds)])])),
      property(
        "TimersCalendar",
        .array(of: "(ss)", [.structure([.text("OnCalendar"), .text(calendar(end))])])),
      property("AccuracyUSec", .wide(1_000_000)),
      property("RemainAfterElapse", .boolean(false)),
    ]
    let service = [
      property("Description", .text("End of the devaccess grant \(id)")),
      property("ExecStart", .array(of: "(sasb)", [start])),
    ]
    return [
      .text(unit(id, "timer")), .text("fail"), .array(of: "(sv)", timer),
      .array(
        of: "(sa(sv))",
        [.structure([.text(unit(id, "service")), .array(of: "(sv)", service)])]),
    ]
  }

  private static func call(_ member: String, _ arguments: [BusArgument]) throws(BusFailure) {
    let service = "org.freedesktop.systemd1"
    let bus = try BusConnection(geteuid() == 0 ? .system : .user)
    _ = try bus.call(
      BusCall(service, "/org/freedesktop/systemd1", "\(service).Manager", member, arguments),
      within: 10_000_000, limits: BusLimits(text: 4096, values: 16, depth: 4))
  }

  /// A moment as systemd.time(7) writes it.
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

  /// Without the bus: systemd-run(1), which knows a way of its own to the manager.
  private static func run(
    _ id: String, _ command: [String], after seconds: Int64
  ) throws(GrantError) -> Bool {
    let isOfUser = geteuid() == 0 ? [] : ["--user"]
    let line =
      ["systemd-run", "--quiet"] + isOfUser
      + [
        "--unit=devaccess-grant-\(id)", "--on-active=\(seconds)",
        "--timer-property=AccuracySec=1s", "--",
      ] + command
    do throws(Errno) {
      return try SystemProgram.run(line) == 0
    } catch {
      return false
    }
  }
}
