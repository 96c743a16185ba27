import LegoKit
import LinuxTestSupport
import MessageBus
import Testing

@testable import LegoLinks

/// A real service for notifications, on a real bus; the test is the person in front of the screen.
@Suite(
  .requiresBus, .timeLimit(.minutes(5)),
  .enabled(
    if: BuiltProgram.path("notification-service") != nil,
    "notification-service is built beside the tests"))
struct `Notifications of a program` {
  private static let service = BuiltProgram.path("notification-service")

  let bus: PrivateBus
  let program: DesktopApplication

  init() throws {
    bus = try PrivateBus()
    program = try DesktopApplication(
      Calls.name, schemes: ["photos"], bus: bus.address, times: .patient)
  }

  private func service(_ options: String...) throws -> StartedProgram {
    let service = try StartedProgram(
      [Self.service ?? "/notification-service"] + options,
      environment: ["DBUS_SESSION_BUS_ADDRESS=\(bus.address)"])
    #expect(service.line() == "ready")
    return service
  }

  private static func person(_ member: String, _ arguments: [BusArgument] = []) -> BusCall {
    BusCall(
      "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "test.Notifications",
      member, arguments)
  }

  private static func invoke(_ number: UInt32, _ key: String) -> BusCall {
    person("Invoke", [.unsigned(number), .text(key)])
  }

  // Row of FromLegoKit: not there yet: push notifications
  @Test func `bring their links, with what a window needs for the focus`() async throws {
    let service = try service()
    let person = try BusClient(.at(bus.address))
    _ = try await program.start([])
    let notification = LinkNotification(
      "new", title: "New picture", body: "<b> & more", icon: "camera-photo",
      link: "photos:/picture/1", buttons: [.init("Delete", link: "photos:/picture/1/delete")])
    #expect(try await program.notify(notification) == .whileRunning)
    #expect(
      service.line()
        == "org.example.Photos|0|camera-photo|New picture|&lt;b&gt; &amp; more|-1")
    // The second takes the place of the first.
    #expect(try await program.notify(notification) == .whileRunning)
    #expect(service.line()?.hasPrefix("org.example.Photos|1|") == true)

    var arrivals = program.arrivals.makeAsyncIterator()
    // A notification of somebody else, and an action that is none.
    #expect(await person.refusal(of: Self.invoke(77, "default")) == nil)
    #expect(await person.refusal(of: Self.invoke(1, "0")) == nil)
    #expect(
      await arrivals.next()
        == LinkArrival("photos:/picture/1/delete", origin: .notification, activationToken: "t"))
    // The service has closed it.
    #expect(await person.refusal(of: Self.invoke(1, "default")) == nil)
    #expect(try await program.notify(LinkNotification("plain", title: "Hello")) == .whileRunning)
    #expect(await person.refusal(of: Self.invoke(2, "default")) == nil)
    #expect(
      await arrivals.next() == LinkArrival(nil, origin: .notification, activationToken: "t"))
    await program.close()
  }

  @Test func `of another connection bring nothing`() async throws {
    let service = try service()
    _ = try await program.start([])
    #expect(
      try await program.notify(LinkNotification("new", title: "New", link: "photos:/picture/1"))
        == .whileRunning)
    // Whoever sends the signal of the service, to this program alone.
    let forged = try StartedProgram(
      [
        "/usr/bin/dbus-send", "--bus=\(bus.address)", "--type=signal", "--dest=\(Calls.name)",
        "/org/freedesktop/Notifications", "org.freedesktop.Notifications.ActionInvoked", "uint32:1",
        "string:default",
      ])
    #expect(forged.end() == 0)
    let caller = try BusClient(.at(bus.address))
    #expect(await caller.refusal(of: Calls.open("photos:/picture/2")) == nil)
    var arrivals = program.arrivals.makeAsyncIterator()
    #expect(await arrivals.next()?.link == "photos:/picture/2")
    await program.close()
    withExtendedLifetime(service) {}
  }

  @Test func `are the desktop's to start the program for, where it offers that`() async throws {
    let service = try service("--gtk")
    let person = try BusClient(.at(bus.address))
    _ = try await program.start([])
    #expect(
      try await program.notify(
        LinkNotification(
          "new", title: "New", body: "b", link: "photos:/picture/5",
          buttons: [.init("Delete", link: "photos:/picture/5/delete")])) == .always)
    #expect(await person.refusal(of: Self.person("Click")) == nil)
    var arrivals = program.arrivals.makeAsyncIterator()
    #expect(
      await arrivals.next()
        == LinkArrival("photos:/picture/5", origin: .notification, activationToken: "t"))
    try await program.withdraw("new")
    await program.close()
    withExtendedLifetime(service) {}
  }

  @Test func `without a service, or a bus, are an error`() async throws {
    let notification = LinkNotification("new", title: "New")
    let early = await #expect(throws: DesktopApplicationError.self) {
      try await program.notify(notification)
    }
    #expect(early?.code == .notConnected)
    _ = try await program.start([])
    let error = await #expect(throws: DesktopApplicationError.self) {
      try await program.notify(notification)
    }
    #expect(error?.code == .notShown)
    try await program.withdraw("new")
    await program.close()
    let late = await #expect(throws: DesktopApplicationError.self) {
      try await program.withdraw("new")
    }
    #expect(late?.code == .notConnected)
  }

  @Test func `keep their text where a service reads markup`() throws {
    let calls = NotificationCalls(name: try BusName(Calls.name))
    let notification = LinkNotification("1", title: "", body: "1 <\u{338} 2 &\u{301} >\u{301}")
    let call = calls.notify(notification, replacing: 0, ["body-markup"])
    #expect(call.arguments.contains(.text("1 &lt;\u{338} 2 &amp;\u{301} &gt;\u{301}")))
  }

  @Test func `that nobody closes are forgotten, the oldest first`() {
    let shown = ShownNotifications()
    let most = UInt32(ShownNotifications.capacity)
    for number in 1...(most + 10) {
      shown.add(
        ShownNotifications.Entry(id: "\(number)", number: number, service: ":1.2", links: [:]))
    }
    #expect(shown.number(of: "10") == nil)
    #expect(shown.number(of: "11") == 11)
    #expect(shown.number(of: "\(most + 10)") == most + 10)
  }
}
