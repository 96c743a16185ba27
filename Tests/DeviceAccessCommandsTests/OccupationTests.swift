import AccessModel
import DevicePermissionsTesting
import DeviceWatching
import JSONReading
import JSONText
import LinuxDevices
import Synchronization
import Testing

@testable import DeviceAccessCommands

/// A machine that counts how often its processes are scanned.
private final class CountingMachine: MachineWrapper {
  let wrapped: any Machine
  private let scans = Mutex(0)

  init(_ machine: InMemoryMachine) { wrapped = machine }

  var count: Int { scans.withLock { $0 } }

  func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    scans.withLock { $0 += 1 }
    return try wrapped.use(of: targets)
  }
}

/// A machine on which the driver of one camera reports that it is not open.
private struct TellingMachine: MachineWrapper {
  let wrapped: any Machine

  func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    var facts = try wrapped.use(of: targets)
    for index in facts.devices.indices where facts.devices[index].node == "/dev/video4" {
      facts.devices[index].isToldByDriver = true
    }
    return facts
  }
}

@Suite struct `Devices in use` {
  /// Returns a machine with two cameras, the first of which cheese streams from.
  private static func desk(
    running user: String = "bob", _ configure: (inout MachineDescription) -> Void = { _ in }
  ) -> InMemoryMachine {
    Machines.laptop(running: user) { machine in
      machine.addCamera(4, name: "Webcam")
      var cheese = HoldingProcess(id: 4711, name: "cheese")
      cheese.user = 1000
      cheese.userName = "bob"
      machine.addHolder(DeviceHolder(cheese, DeviceHold(isMapped: true)), of: "/dev/video0")
      configure(&machine)
    }
  }

  @Test func `give way to one that is free`() async {
    let result = await CommandResult.run(["check", "camera"], on: Self.desk())
    #expect(result.output.hasPrefix("allowed: read and write access to /dev/video4"))
    #expect(result.status == .allowed)
  }

  /// The processes of other users cannot be inspected, so the use of the first camera is unknown.
  @Test func `give way to one that is known to be free, where others cannot be seen`() async {
    let machine = Machines.laptop(running: "bob") { machine in
      machine.addCamera(4, name: "Webcam")
      machine.unseenProcesses = UnseenProcesses(count: 3, reasons: [.notTraceable])
    }
    let reported = TellingMachine(wrapped: machine)
    for arguments in [["check", "camera"], ["check", "camera", "--free"]] {
      let result = await CommandResult.run(arguments, on: reported)
      #expect(result.output.hasPrefix("allowed: read and write access to /dev/video4"))
      #expect(result.status == .allowed)
    }
  }

  @Test func `are named by check, which still says yes`() async {
    let both = Self.desk { $0.hold("/dev/video4", by: "zoom", pid: 12, user: "bob") }
    let result = await CommandResult.run(["check", "camera"], on: both)
    #expect(
      result.output.contains("access to /dev/video4 — in use: zoom (12), which may be streaming"),
      "\(result.output)")
    #expect(result.status == .allowed)
    let first = await CommandResult.run(["check", "/dev/video0"], on: both)
    #expect(first.output.contains("— busy: cheese (4711)"), "\(first.output)")
    #expect(first.status == .allowed)
  }

  @Test func `are named by explain, with what ends it`() async {
    let result = await CommandResult.run(["explain", "/dev/video0"], on: Self.desk())
    let text = result.output.split(separator: "\n").joined(separator: " ")
      .split(separator: " ").joined(separator: " ")
    #expect(text.contains("cheese (process 4711, user bob) is using it"), "\(result.output)")
    #expect(text.contains("(BUSY)"))
    #expect(text.contains("Fix Close the program cheese (process 4711)"))
    let kind = await CommandResult.run(["explain", "camera"], on: Self.desk())
    #expect(kind.output.contains("busy\n"), "\(kind.output)")
  }

  @Test func `are busy in the status`() async {
    let machine = Self.desk { machine in
      machine.hold(
        "/dev/video4", by: "zoom", pid: 12, user: "bob", DeviceHold(isMapped: true))
    }
    let result = await CommandResult.run(["status"], on: machine)
    #expect(result.output.contains("authorized  busy"), "\(result.output)")
    #expect(result.output.contains("/dev/video0, busy: cheese (4711)"), "\(result.output)")
  }

  @Test func `have a column in the list`() async {
    let result = await CommandResult.run(["list", "camera"], on: Self.desk(running: "root"))
    #expect(
      result.output.contains("/dev/video0  rw  busy: cheese (4711)  capture"), "\(result.output)")
    #expect(result.output.contains("/dev/video4  rw  free                 capture"))
    let seen = await CommandResult.run(["list", "camera"], on: Self.desk())
    #expect(seen.output.contains("/dev/video4  rw  free"))
    let hidden = Self.desk { machine in
      machine.unseenProcesses = UnseenProcesses(count: 1, reasons: [.notTraceable])
    }
    let list = await CommandResult.run(["list", "camera"], on: hidden)
    #expect(list.output.contains("/dev/video4  rw  no user found"), "\(list.output)")
  }

  @Test func `names do not reach the terminal as they are`() async {
    let machine = Self.desk {
      $0.hold("/dev/video4", by: "a\u{1B}[2Jb\u{202E}\n", pid: 1, user: "bob")
    }
    for arguments in [["list", "camera"], ["check", "/dev/video4"], ["explain", "/dev/video4"]] {
      let result = await CommandResult.run(arguments, on: machine)
      #expect(!result.output.contains("\u{1B}") && !result.output.contains("\u{202E}"))
      #expect(result.output.contains("\\"))
    }
  }

  @Test func `are told of a virtual camera by who feeds it`() {
    var device = DeviceFacts(
      node: "/dev/video9", sysfsPath: "/sys/devices/virtual/video4linux/video9",
      subsystem: "video4linux", kernelName: "video9")
    device.driver = "v4l2 loopback"
    let obs = DeviceHolder(HoldingProcess(id: 1, name: "obs"), DeviceHold(access: .write))
    let vlc = DeviceHolder(HoldingProcess(id: 2, name: "vlc"), DeviceHold(access: .read))
    let use = DeviceUse(node: "/dev/video9", device: device, holders: [obs, vlc])
    #expect(OccupationText(use, .open, .plain).text == "fed by obs (1); open: vlc (2)")
    #expect(OccupationText(use, .open, .plain).remark == nil)
  }

  @Test func `are told by the clients of a media server`() {
    let clients = [
      MediaClient(name: "zoom", processID: 12), MediaClient(name: "idle", isStreaming: false),
      MediaClient(name: "a"), MediaClient(name: "b"),
    ]
    let holder = DeviceHolder(
      HoldingProcess(id: 9, name: "pipewire"), DeviceHold(activity: .streaming), clients: clients)
    var use = DeviceUse(node: "/dev/snd/pcmC0D0c", holders: [holder], isToldByDriver: true)
    use.freeStreams = 0
    #expect(
      OccupationText(use, .busy, .plain).text
        == "busy: zoom (12) through pipewire, a through pipewire and 1 more")
  }

  // MARK: Number of scans

  @Test(arguments: [
    (["list"], 1), (["list", "camera"], 1), (["list", "serial"], 0), (["check", "camera"], 1),
    (["check", "camera", "--quiet"], 0), (["check", "album"], 0), (["check", "/dev/null"], 0),
    (["status"], 1), (["explain", "camera"], 1), (["explain", "/dev/video1"], 1),
    (["snapshot", "camera"], 1), (["snapshot", "album"], 0), (["explain", "--example"], 0),
  ])
  func `are looked for once, and only where it matters`(
    arguments: [String], count: Int
  ) async {
    let machine = CountingMachine(Self.desk())
    _ = await CommandResult.run(arguments, on: machine)
    #expect(machine.count == count)
    // A user who may open no device is refused without a scan.
    guard arguments[0] != "snapshot" else { return }
    let refused = CountingMachine(Self.desk(running: "alice"))
    _ = await CommandResult.run(arguments, on: refused)
    #expect(refused.count == 0)
  }

  // MARK: Programs

  @Test func `are described by the schema, in snapshots too`() async throws {
    let checker = try SchemaChecker(Repository.read("Documentation/devaccess.schema.json"))
    let machine = Self.desk { machine in
      machine.hold("/dev/video4", by: "zoom", pid: 12, user: "bob")
    }
    for command in ["list", "check", "explain", "status"] {
      let arguments = [command] + (command == "status" ? [] : ["camera"]) + ["--json"]
      let result = await CommandResult.run(arguments, on: machine)
      let value = try ParsedJSON(parsing: Array(result.output.utf8))
      #expect(checker.problems(value, definition: command) == [])
      guard command != "status" else { continue }
      #expect(result.output.contains(#""occupation":"busy""#) || command == "check")
      #expect(result.output.contains(#""holders":[{"pid":"#), "\(command)")
    }
    let snapshot = await CommandResult.run(["snapshot", "camera"], on: machine)
    let document = try ParsedJSON(parsing: Array(snapshot.output.utf8))
    #expect(checker.problems(document, definition: "snapshot_document") == [])
    let file = try TemporaryFile(snapshot.output)
    let there = await CommandResult.run(["explain", "camera"], on: machine)
    let elsewhere = await CommandResult.run(["explain", "--from", file.path])
    #expect(there.output == elsewhere.output)
    let redacted = await CommandResult.run(["snapshot", "camera", "--redact"], on: machine)
    #expect(!redacted.output.contains("\"bob\""))
  }

  @Test func `are unknown where the machine cannot tell`() async {
    struct Silent: MachineWrapper {
      let wrapped: any Machine = `Devices in use`.desk()
      func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
        throw DeviceError(.unavailable, operation: "look at processes")
      }
    }
    let list = await CommandResult.run(["list", "camera"], on: Silent())
    #expect(list.output.contains("/dev/video0  rw  capture"), "\(list.output)")
    #expect(list.status == .allowed)
    let check = await CommandResult.run(["check", "camera"], on: Silent())
    #expect(check.output.hasPrefix("allowed: read and write access to /dev/video0"))
    let explain = await CommandResult.run(["explain", "camera", "--verbose"], on: Silent())
    #expect(explain.output.contains("use: "), "\(explain.output)")
  }
}
