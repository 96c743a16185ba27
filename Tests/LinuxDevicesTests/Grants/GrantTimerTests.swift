import AccessModel
import Glibc
import LinuxTestSupport
import MessageBus
import Synchronization
import Testing

@testable import LinuxDevices

@Suite(.requiresBus, .requiresRoot, .timeLimit(.minutes(5)))
struct `The timer of a grant` {
  /// A real bus, with a service that notes what systemd would be told.
  @Test func `is a transient unit of systemd, which counts by both clocks`() async {
    await #expect(processExitsWith: .success) {
      let bus = try PrivateBus()
      let calls = Mutex<[BusIncoming]>([])
      let manager = try BusClient(.at(bus.address)) { call in
        calls.withLock { $0.append(call) }
        return .values([])
      }
      _ = try await manager.call(
        .bus("RequestName", [.text("org.freedesktop.systemd1"), .unsigned(4)]),
        within: .seconds(60))
      #expect(unsafe setenv("DBUS_SYSTEM_BUS_ADDRESS", bus.address, 1) == 0)
      // As systemd would read it: a moment of the calendar, and seconds from now on.
      try GrantTimer.start(
        "0123456789abcdef", ["/usr/bin/devaccess", "revoke", "0123456789abcdef"], after: 600,
        at: 1_795_384_915)
      GrantTimer.stop("0123456789abcdef")
      let seen = calls.withLock { $0 }.filter { !$0.isSignal }
      let timer = "devaccess-grant-0123456789abcdef.timer"
      guard seen.map(\.member) == ["StartTransientUnit", "StopUnit"],
        seen[0].signature == "ssa(sv)a(sa(sv))",
        seen[0].arguments.prefix(2) == [.text(timer), .text("fail")],
        seen[1].arguments == [.text(timer), .text("replace")],
        let properties = seen[0].arguments[2].elements,
        let services = seen[0].arguments[3].elements
      else { exit(1) }
      func property(_ name: String, of list: [BusValue]) -> BusValue? {
        list.first { $0.elements?.first?.text == name }?.elements?.last
      }
      let monotonic = BusValue.list([.list([.text("OnActiveSec"), .unsigned(600_000_000)])])
      let calendar = BusValue.list([.list([.text("OnCalendar"), .text("2026-11-22 22:01:55 UTC")])])
      guard property("TimersMonotonic", of: properties) == monotonic,
        property("TimersCalendar", of: properties) == calendar
      else { exit(2) }
      guard services.count == 1, let service = services[0].elements,
        service[0].text == "devaccess-grant-0123456789abcdef.service",
        let command = property("ExecStart", of: service[1].elements ?? [])?.elements?.first?
          .elements,
        command[0].text == "/usr/bin/devaccess",
        command[1].texts == ["/usr/bin/devaccess", "revoke", "0123456789abcdef"],
        command[2] == .boolean(false)
      else { exit(3) }
      exit(0)
    }
  }
}
