import Foundation
import LegoLinks
import LinuxTestSupport
import MessageBus
import Testing

/// The program `link-program`, started by a real bus and by hand.
@Suite(
  .requiresBus, .timeLimit(.minutes(5)),
  .enabled(if: BuiltProgram.path("link-program") != nil, "link-program is built beside the tests"))
struct `A program that the bus starts` {
  private static let program = BuiltProgram.path("link-program")
  private static let name = Calls.name

  /// A bus that can start the program from a path that has to be quoted.
  private func bus() throws -> PrivateBus {
    try PrivateBus { path in
      let place = "\(path)/a b'$`\\\"%é"
      try? FileManager.default.createDirectory(
        atPath: place, withIntermediateDirectories: true)
      try? FileManager.default.createSymbolicLink(
        atPath: "\(place)/photos", withDestinationPath: Self.program ?? "/link-program")
      let entry = try? DesktopEntry(
        Self.name, title: "Photos", program: "\(place)/photos",
        arguments: [Self.name, "\(path)/log"], schemes: ["photos"])
      return ["\(Self.name).service": entry?.serviceText ?? ""]
    }
  }

  private func start(_ bus: PrivateBus, _ arguments: String...) throws -> StartedProgram {
    try StartedProgram(
      [Self.program ?? "/link-program", Self.name, "\(bus.path)/log"] + arguments,
      environment: ["DBUS_SESSION_BUS_ADDRESS=\(bus.address)"])
  }

  private func log(_ bus: PrivateBus) -> [String] {
    let text = FileManager.default.contents(atPath: "\(bus.path)/log") ?? Data()
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func expectLog(_ bus: PrivateBus, _ lines: [String]) async {
    _ = await eventually { log(bus).count >= lines.count }
    #expect(log(bus) == lines)
  }

  @Test func `gets the link that it was started for, and those that come later`() async throws {
    let bus = try bus()
    let caller = try BusClient(.at(bus.address))
    #expect(await caller.refusal(of: Calls.open("photos:/picture/1")) == nil)
    await expectLog(bus, ["service", "picture 1"])
    let second = try start(bus, "photos:/picture/2")
    #expect(second.end() == 0)
    // Two processes write, in either order.
    #expect(
      await eventually { Set(log(bus)) == ["service", "picture 1", "handedOver", "picture 2"] })
    #expect(await caller.refusal(of: Calls.open("photos:/%zz", "photos:/quit")) == nil)
    #expect(await eventually { log(bus).count == 7 })
    #expect(
      log(bus).suffix(3) == [
        #"problem: the link "photos:/%zz" is ignored: the link is malformed at byte 8"#, "quit",
        "over",
      ])
    // And again.
    #expect(await caller.refusal(of: Calls.open("photos:/quit")) == nil)
    #expect(await eventually { log(bus).suffix(3) == ["service", "quit", "over"] })
  }

  @Test func `is started for the link of a notification that it has shown before its end`()
    async throws
  {
    let bus = try bus()
    let service = try StartedProgram(
      [BuiltProgram.path("notification-service") ?? "/notification-service", "--gtk"],
      environment: ["DBUS_SESSION_BUS_ADDRESS=\(bus.address)"])
    #expect(service.line() == "ready")
    let shower = try start(bus, "--notify", "New", "/picture/7", "photos:/quit")
    #expect(shower.end() == 0)
    #expect(log(bus) == ["first", "shown always", "quit", "over"])
    let person = try BusClient(.at(bus.address))
    let click = BusCall(
      "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "test.Notifications",
      "Click")
    #expect(await person.refusal(of: click) == nil)
    await expectLog(
      bus,
      ["first", "shown always", "quit", "over", "service", "picture 7"])
    #expect(await person.refusal(of: Calls.open("photos:/quit")) == nil)
    #expect(await eventually { log(bus).last == "over" })
  }

  @Test func `is started for a call of the wrong types, and refuses it`() async throws {
    let bus = try bus()
    // A caller that shares no code with this package.
    let sender = try StartedProgram([
      "/usr/bin/dbus-send", "--bus=\(bus.address)", "--print-reply", "--dest=\(Self.name)",
      "/org/example/Photos", "org.freedesktop.Application.Open", "string:photos:/picture/3",
    ])
    #expect(sender.end() == 1)
    #expect(await eventually { log(bus).count == 2 })
    let problem = try #require(log(bus).first { $0 != "service" })
    #expect(problem.hasSuffix("was refused: the arguments of Open must be asa{sv}"))
    let caller = try BusClient(.at(bus.address))
    #expect(await caller.refusal(of: Calls.open("photos:/quit")) == nil)
    #expect(await eventually { log(bus).last == "over" })
  }
}
