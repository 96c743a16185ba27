import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import JSONReading
import LegoKit
import LinuxDevices
import Synchronization
import Testing

@testable import DeviceAccessCommands

@Suite struct `Watching who uses devices` {
  private let machine = InMemoryMachine {
    $0.addUser("alice", id: 1000)
    $0.addUser("bob", id: 1001)
    $0.addCamera()
  }

  private func lines(
    _ arguments: [String], _ steps: [(InMemoryMachine) -> Void]
  ) async throws -> WatchRun.Result {
    try await WatchRun.lines(arguments, on: machine, steps)
  }

  /// A kind without devices, or a device that is named more than once, is reported once.
  @Test(arguments: [
    (["microphone", "microphone"], ["no microphone yet\n"]),
    (["/dev/video0", "camera", "/dev/video0"], ["/dev/video0 free\n"]),
  ])
  func `one line for what is named twice`(words: [String], reported: [String]) async throws {
    let result = try await lines(["watch", "--use"] + words, [])
    #expect(result.lines.map { String($0.dropFirst(9)) } == reported)
  }

  @Test func `a line for the state, and one for each open and close`() async throws {
    let result = try await lines(
      ["watch", "--use", "camera"],
      [
        { $0.change { $0.hold("/dev/video0", by: "cheese", pid: 4711, user: "alice") } },
        { $0.change { $0.hold("/dev/video0", by: "motion", pid: 12, user: "bob") } },
        { $0.change { $0.endProcess(4711) } },
        { $0.change { $0.endProcess(12) } },
        { $0.change { $0.addCamera(2, name: "Second") } },
        { $0.change { $0.removeDevice("/dev/video2") } },
      ])
    #expect(result.status == .allowed && result.errors == "")
    #expect(
      result.lines.map { String($0.dropFirst(9)) } == [
        "/dev/video0 free\n",
        "/dev/video0 opened by cheese (4711) of alice\n",
        "/dev/video0 opened by motion (12) of bob\n",
        "/dev/video0 closed by cheese (4711) of alice; in use: motion (12)\n",
        "/dev/video0 closed by motion (12) of bob; free\n",
        "/dev/video2 was added: Second\n",
        "/dev/video2 was removed\n",
      ])
  }

  @Test func `JSON has an object for each line, as the schema says`() async throws {
    var server = HoldingProcess(id: 5, name: "pipewire")
    server.user = 1000
    var clients = [MediaClient(name: "Firefox", processID: 8, application: "org.mozilla.firefox")]
    clients[0].process = HoldingProcess(id: 8, name: "firefox")
    clients[0].process?.unit = "app-firefox.scope"
    let steps: [(InMemoryMachine) -> Void] = [
      { _ in },
      { $0.change { $0.hold("/dev/video0", by: "cheese", pid: 4711, user: "alice") } },
      {
        $0.change {
          $0.addHolder(DeviceHolder(server, DeviceHold(), clients: []), of: "/dev/video0")
        }
      },
      {
        $0.change {
          $0.addHolder(DeviceHolder(server, DeviceHold(), clients: clients), of: "/dev/video0")
        }
      },
      { $0.change { $0.removeDevice("/dev/video0") } },
      { $0.change { $0.addCamera(9) } },
    ]
    let result = try await lines(["watch", "--use", "camera", "/dev/video9", "--json"], steps)
    let checker = try SchemaChecker(Repository.read("Documentation/devaccess.schema.json"))
    var events: [String] = []
    for line in result.lines {
      let value = try ParsedJSON(parsing: Array(line.utf8))
      #expect(checker.problems(value, definition: "watch_use") == [], "\(line)")
      if case .string(let event)? = value.members?["event"] { events.append(event) }
    }
    #expect(
      events == ["state", "absent", "opened", "opened", "opened", "removed", "added"])
    let client = try ParsedJSON(parsing: Array(result.lines[4].utf8)).members?["program"]?.members
    #expect(client?["name"] == .string("Firefox"))
    #expect(client?["unit"] == .string("app-firefox.scope"))
    #expect(client?["through"] == .string("pipewire"))
    #expect(client?["active"] == .bool(true))
  }

  @Test func `JSON begins with a line for a kind without devices`() async throws {
    let result = try await lines(["watch", "--use", "microphone", "--json"], [])
    let value = try ParsedJSON(parsing: Array(result.lines[0].utf8))
    let checker = try SchemaChecker(Repository.read("Documentation/devaccess.schema.json"))
    #expect(checker.problems(value, definition: "watch_use") == [])
    #expect(value.members?["event"] == .string("absent"))
    #expect(value.members?["kind"] == .string("microphone"))
    #expect(value.members?["node"] == nil)
  }

  @Test func `a program that has closed the device is not active`() async throws {
    let result = try await lines(
      ["watch", "--use", "camera", "--json"],
      [
        { $0.change { $0.hold("/dev/video0", by: "cheese", pid: 4711, user: "alice") } },
        { $0.change { $0.endProcess(4711) } },
      ])
    let active = try result.lines.dropFirst().map { line in
      try ParsedJSON(parsing: Array(line.utf8)).members?["program"]?.members?["active"]
    }
    #expect(active == [.bool(true), .bool(false)])
  }

  @Test func `every event is in the schema`() throws {
    let schema = try Repository.read("Documentation/devaccess.schema.json")
    for event in UseLine.Event.allCases { #expect(schema.contains("\"\(event.rawValue)\"")) }
    for action in UseEvent.Action.allCases {
      #expect(UseLine.Event(action).rawValue == action.rawValue)
    }
  }

  @Test func `names cannot send sequences to a terminal`() async throws {
    let result = try await lines(
      ["watch", "--use", "camera"],
      [{ $0.change { $0.hold("/dev/video0", by: "\u{1b}[2J\n", pid: 1, user: "bob") } }])
    #expect(result.lines[1].contains("opened by \\x1b[2J\\n (1) of bob\n"))
  }

  @Test func `without a kind it watches cameras and microphones, and says what is missing`()
    async throws
  {
    let result = try await lines(["watch", "--use"], [{ _ in }])
    #expect(result.lines.count == 2)
    #expect(result.lines[1].hasSuffix(" no microphone yet\n"))
    #expect(result.errors == "")
  }

  @Test(arguments: [
    ["watch", "--use", "--read", "camera"], ["watch", "--use", "--user=bob"],
    ["watch", "--format=waybar", "--read"], ["watch", "--format=polybar"],
    ["watch", "--use", "--format=waybar", "--json"], ["watch", "--use", "album"],
    ["watch", "--use", "--exec="], ["users", "--use"],
  ])
  func `what makes no sense is refused`(_ arguments: [String]) async {
    let result = await CommandResult.run(arguments, on: machine)
    #expect(result.status == .usage)
    #expect(result.hasOneErrorLine)
  }

  @Test func `what is no device ends it`() async {
    let result = await CommandResult.run(["watch", "--use", "/dev"], on: machine)
    #expect(result.status == .absent)
    #expect(result.hasOneErrorLine)
  }

  // MARK: Status bars

  /// A device is not reported as unused if its use is unknown.
  @Test func `a bar is told what is not there, and what is not known`() {
    let absent = BarOutput(UseFacts(), absent: ["/dev/<video>9"])
    #expect(absent.alt == "absent" && absent.class == ["idle", "absent"])
    #expect(absent.tooltip == "/dev/&lt;video&gt;9 does not exist")
    #expect(BarOutput(UseFacts()).tooltip == "not found")
    var facts = UseFacts(
      devices: [DeviceUse(node: "/dev/video0")],
      unseen: UnseenProcesses(count: 1, reasons: [.notTraceable]))
    let unknown = BarOutput(facts, absent: ["/dev/video9"])
    #expect(unknown.alt == "unknown" && unknown.class == ["idle", "unknown"])
    #expect(unknown.tooltip.hasSuffix("inspected\n/dev/video9 does not exist"))
    facts.unseen = UnseenProcesses()
    #expect(BarOutput(facts).class == ["idle"])
    facts.devices[0].holders = [
      DeviceHolder(HoldingProcess(id: 1, name: "pipewire"), DeviceHold())
    ]
    let unreported = BarOutput(facts)
    #expect(unreported.text == "" && unreported.class == ["idle", "unknown"])
    #expect(unreported.tooltip == "a media server does not report who uses it")
  }

  private func bar(_ line: String) throws -> [String: ParsedJSON] {
    try #require(try ParsedJSON(parsing: Array(line.utf8)).members).reduce(into: [:]) {
      $0[$1.key] = $1.value
    }
  }

  @Test func `a bar does not name a media server before it has used a device for a moment`()
    async throws
  {
    final class Lines: TextSink {
      let isTerminal = false
      let all = Mutex<[String]>([])
      func write(_ text: String) { all.withLock { $0.append(text) } }
    }
    let lines = Lines()
    let bar = BarWriter(lines)
    var device = DeviceUse(node: "/dev/video0", kind: "camera")
    func take(_ clients: [MediaClient]) throws {
      device.holders = [
        DeviceHolder(
          HoldingProcess(id: 5, name: "pipewire"), DeviceHold(activity: .streaming),
          clients: clients)
      ]
      try bar.take(UseChange(facts: UseFacts(devices: [device]), events: [], isFirst: false))
    }
    let own = MediaClient(name: "pipewire", processID: 5)
    try take([own])
    try take([MediaClient(name: "chat", processID: 6)])
    let start = ContinuousClock.now
    try take([own])
    let writer = Task { try await bar.run() }
    defer { writer.cancel() }
    while lines.all.withLock({ $0.count }) < 4 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(start.duration(to: .now) >= .seconds(1))
    let tips = try lines.all.withLock(\.self).map { try self.bar($0)["tooltip"] }
    #expect(
      tips == [
        .string("not in use"), .string("/dev/video0: chat (6)"), .string("not in use"),
        .string("/dev/video0: pipewire (5)"),
      ])
  }

  /// A bar shows the use, with or without `--use`.
  @Test(arguments: [["--use"], []]) func `a bar gets a line for each state`(
    options: [String]
  ) async throws {
    let result = try await lines(
      ["watch"] + options + ["camera", "--format=waybar"],
      [
        { machine in
          // Only the second program lights the indicator.
          machine.change { $0.hold("/dev/video0", by: "wireplumber", pid: 3, user: "alice") }
          machine.change { $0.hold("/dev/video0", by: "<b>&'\"", pid: 4711, user: "alice") }
        },
        { $0.change { $0.endProcess(4711) } },
      ])
    #expect(result.status == .allowed && result.errors == "")
    #expect(
      result.lines == [
        #"{"text":"","alt":"idle","tooltip":"not in use","class":["idle"]}"# + "\n",
        #"{"text":"camera","alt":"camera","tooltip":"#
          + #""Integrated Camera: &lt;b&gt;&amp;&#39;&quot; (4711)","#
          + #""class":["active","camera"]}"# + "\n",
        #"{"text":"","alt":"idle","tooltip":"not in use","class":["idle"]}"# + "\n",
      ])
  }
}
