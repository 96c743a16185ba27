import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LinuxDevices
import Testing

@testable import DeviceAccessCommands

@Suite struct `Notifications` {
  let machine = InMemoryMachine {
    $0.addUser("alice", id: 1000)
    $0.addCamera(metadataSibling: true)
    $0.addCamera(4, name: "<i>Second</i>")
  }

  /// Returns the summaries and bodies after each step.
  private func reported(_ steps: [(inout MachineDescription) -> Void]) async throws -> [[String]] {
    var changes = DeviceUsageService(machine: machine).changes(of: [.kind(.camera)])
      .makeAsyncIterator()
    var notifications = UseNotifications()
    var all: [[String]] = []
    func take() async throws {
      let reported = notifications.take(try #require(try await changes.next()))
      all.append(reported.map { "\($0.summary): \($0.body)" })
    }
    try await take()
    for step in steps {
      machine.change(step)
      try await take()
    }
    return all
  }

  @Test func `tell who starts and who stops, and with which devices`() async throws {
    let reported = try await reported([
      { $0.hold("/dev/video0", by: "cheese", pid: 1, user: "alice") },
      { $0.hold("/dev/video4", by: "cheese", pid: 1, user: "alice") },
      { $0.hold("/dev/video4", by: "cheese", pid: 3, user: "alice") },
      { $0.hold("/dev/video4", by: "wireplumber", pid: 2, user: "alice") },
      { $0.release("/dev/video0", by: 1) },
      { $0.endProcess(1) },
      { $0.endProcess(3) },
    ])
    #expect(
      reported == [
        [], ["cheese uses the camera: Integrated Camera, /dev/video0"],
        ["cheese uses the camera: Integrated Camera, /dev/video0\n<i>Second</i>, /dev/video4"],
        [], [], ["cheese uses the camera: <i>Second</i>, /dev/video4"], [],
        ["cheese no longer uses the camera: <i>Second</i>, /dev/video4"],
      ])
  }

  @Test func `tell what is in use when watching begins`() async throws {
    machine.change { $0.hold("/dev/video0", by: "cheese", pid: 1, user: "alice") }
    #expect(
      try await reported([{ $0.removeDevice("/dev/video0") }]) == [
        ["cheese uses the camera: Integrated Camera, /dev/video0"],
        ["cheese no longer uses the camera: Integrated Camera, /dev/video0"],
      ])
  }

  private static func change(
    _ devices: [DeviceUse], _ events: [UseEvent] = [], unseen: Bool = false
  ) -> UseChange {
    var facts = UseFacts(devices: devices)
    if unseen { facts.unseen.reasons.insert(.failed) }
    return UseChange(facts: facts, events: events, isFirst: events.isEmpty)
  }

  private static func holder(
    _ id: Int32, in application: String?, container: String? = nil
  ) -> DeviceHolder {
    var process = HoldingProcess(id: id, name: "tool")
    process.application = application
    process.container = container
    process.containerName = container.map { _ in "<web>" }
    return DeviceHolder(process, DeviceHold())
  }

  @Test func `tell programs of one name apart by where they are`() {
    var device = DeviceUse(node: "/dev/video0", kind: "camera")
    device.holders = [
      Self.holder(1, in: "org.example.Aaa"), Self.holder(2, in: "org.example.Bbb"),
      Self.holder(3, in: nil, container: "docker"), Self.holder(4, in: nil),
    ]
    var notifications = UseNotifications()
    let first = notifications.take(Self.change([device]))
    #expect(first.allSatisfy { $0.summary == "tool uses the camera" })
    #expect(
      first.map(\.markup) == [
        "/dev/video0", "/dev/video0\nin docker &lt;web&gt;", "/dev/video0\nin org.example.Aaa",
        "/dev/video0\nin org.example.Bbb",
      ])
    #expect(Set(first.map(\.subject)).count == 4)
    #expect(notifications.current == first)
    let holder = device.holders.removeFirst()
    let reported = notifications.take(
      Self.change([device], [UseEvent(.closed, device, .holder(holder))]))
    #expect(
      reported.map { "\($0.summary), \($0.body)" }
        == ["tool no longer uses the camera, /dev/video0\nin org.example.Aaa"])
    #expect(reported.first?.subject == first[2].subject)
  }

  @Test func `take back that a program that cannot be seen may use a device`() {
    var devices = [0, 1].map { DeviceUse(node: "/dev/video\($0)", kind: "camera") }
    var notifications = UseNotifications()
    #expect(notifications.take(Self.change(devices)) == [])
    // The hidden program may be udev's daemon, which opens every new camera.
    let start = ContinuousClock.now
    let doubt = Self.change(devices, devices.map { UseEvent(.unknown, $0) }, unseen: true)
    #expect(notifications.take(doubt, at: start) == [])
    #expect(notifications.due == start + .seconds(1))
    #expect(notifications.take(Self.change(devices), at: start + .milliseconds(200)) == [])
    #expect(notifications.due == nil)
    #expect(notifications.take(doubt, at: start + .seconds(5)) == [])
    let reported = notifications.take(
      Self.change(devices, unseen: true), at: start + .seconds(6))
    #expect(notifications.due == nil)
    #expect(reported.map(\.summary) == ["A program that is not visible may use the camera"])
    #expect(reported.map(\.body) == ["/dev/video0\n/dev/video1"])
    #expect(notifications.current == reported)
    // A visible user says nothing about hidden ones.
    devices[0].holders = [Self.holder(1, in: nil)]
    let seen = notifications.take(
      Self.change(devices, [UseEvent(.opened, devices[0])], unseen: true))
    #expect(seen.map(\.summary) == ["tool uses the camera"])
    devices[0].holders = []
    let free = notifications.take(Self.change(devices, devices.map { UseEvent(.free, $0) }))
    #expect(
      free.map(\.summary) == [
        "No hidden program uses the camera", "tool no longer uses the camera",
      ])
    #expect(free.first?.subject == reported.first?.subject)
    #expect(free.first?.body == reported.first?.body)
    #expect(notifications.current == [])
  }

  @Test func `name a media server itself only once it has used a device for a moment`() {
    let process = HoldingProcess(id: 5, name: "pipewire")
    var device = DeviceUse(node: "/dev/snd/pcmC0D0c", kind: "microphone")
    var notifications = UseNotifications()
    let start = ContinuousClock.now
    func take(_ clients: [MediaClient]?, after delay: Duration) -> [String] {
      device.holders = [
        DeviceHolder(process, DeviceHold(activity: .streaming), clients: clients)
      ]
      return notifications.take(Self.change([device]), at: start + delay).map(\.summary)
    }
    let own = MediaClient(name: "pipewire", processID: 5)
    // The server has not yet reported the client for which it opened the device.
    #expect(take(nil, after: .zero) == [])
    #expect(notifications.due == start + .seconds(1))
    #expect(take([own], after: .milliseconds(500)) == [])
    let chat = MediaClient(name: "chat", processID: 6)
    #expect(take([chat], after: .milliseconds(900)) == ["chat uses the microphone"])
    #expect(notifications.due == nil)
    #expect(take([own], after: .seconds(10)) == ["chat no longer uses the microphone"])
    #expect(take([own], after: .seconds(11)) == ["pipewire uses the microphone"])
    #expect(notifications.due == nil)
    #expect(take([own, chat], after: .seconds(12)) == ["chat uses the microphone"])
    // Another program may use the same name.
    let other = MediaClient(name: "pipewire", processID: 7)
    _ = take([], after: .seconds(20))
    #expect(take([other], after: .seconds(21)) == ["pipewire uses the microphone"])
  }

  @Test func `say of a program that is out of sight that it may go on`() {
    var device = DeviceUse(node: "/dev/video0", kind: "camera")
    let users = ["cheese", "motion"].enumerated().map { index, name in
      DeviceHolder(HoldingProcess(id: Int32(index), name: name), DeviceHold())
    }
    device.holders = users
    var notifications = UseNotifications()
    _ = notifications.take(Self.change([device]))
    device.holders = []
    device.hiddenHolders = [users[1]]
    let reported = notifications.take(
      Self.change(
        [device],
        [
          UseEvent(.closed, device, .holder(users[0])),
          UseEvent(.hidden, device, .holder(users[1])),
        ]))
    #expect(
      reported.map(\.summary) == [
        "cheese no longer uses the camera",
        "motion is no longer visible, and may still use the camera",
      ])
  }

  @Test func `quote what a service would read as markup`() async throws {
    var changes = DeviceUsageService(machine: machine).changes(of: [.kind(.camera)])
      .makeAsyncIterator()
    var notifications = UseNotifications()
    _ = notifications.take(try #require(try await changes.next()))
    machine.change { $0.hold("/dev/video4", by: "\u{1b}<b>", pid: 1, user: "alice") }
    let reported = notifications.take(try #require(try await changes.next()))
    #expect(
      reported == [
        DesktopNotification(
          program: "devaccess", icon: "camera-web", summary: "\\x1b<b> uses the camera",
          body: "<i>Second</i>, /dev/video4",
          markup: "&lt;i&gt;Second&lt;/i&gt;, /dev/video4", subject: "the camera\0\\x1b<b>")
      ])
  }

  @Test(arguments: ["\u{301}", "\u{20D7}", "\u{200D}", "\u{FE0F}"])
  func `quote a sign of markup also where a mark follows it`(mark: String) {
    let signs = [("<", "&lt;"), (">", "&gt;"), ("&", "&amp;"), ("\"", "&quot;"), ("'", "&#39;")]
    for (sign, quoted) in signs {
      // Some marks are themselves shown as escapes.
      #expect(
        Array(Markup.escape("a\(sign)\(mark)").utf8)
          == Array("a\(quoted)\(Escaped(mark))".utf8))
    }
  }

  private func notification(_ summary: String, of subject: String) -> DesktopNotification {
    DesktopNotification(
      program: "", icon: "", summary: summary, body: "", markup: "", subject: subject)
  }

  @Test func `that wait for a slow service are the latest of each program`() {
    var queue = NotificationQueue()
    queue.add([notification("a uses", of: "a"), notification("b uses", of: "b")])
    queue.add([notification("a no longer uses", of: "a")])
    #expect(queue.next()?.notification.summary == "b uses")
    #expect(queue.next()?.notification.summary == "a no longer uses")
    #expect(queue.next() == nil && queue.isEmpty)
    for number in 0..<264 { queue.add([notification("\(number)", of: "\(number)")]) }
    let first = queue.next()
    #expect(first?.notification.summary == "8" && first?.leftOut == 8)
    #expect(queue.next()?.leftOut == 0)
  }
}
