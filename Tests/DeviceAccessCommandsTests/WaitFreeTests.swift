import AccessModel
import DevicePermissionsTesting
import LinuxDevices
import Testing

@testable import DeviceAccessCommands

@Suite(.timeLimit(.minutes(5))) struct `Waiting for others` {
  private let machine = Machines.laptop(running: "root") {
    $0.hold("/dev/video0", by: "cheese", pid: 4711, user: "bob", DeviceHold(activity: .streaming))
  }

  /// Runs each step after the command has printed a reason for waiting.
  private func result(
    _ arguments: [String], _ steps: [(waiting: String, step: (InMemoryMachine) -> Void)]
  ) async throws -> CommandResult {
    let errors = RecordingSink()
    let output = RecordingSink()
    let machine = machine
    let task = Task {
      await CommandResult.run(arguments, on: machine, output: output, errors: errors)
    }
    for (waiting, step) in steps {
      while !errors.text.contains(waiting) { try await Task.sleep(for: .milliseconds(1)) }
      step(machine)
    }
    return await task.value
  }

  @Test func `ends when nobody is in the way any more`() async throws {
    let result = try await result(
      ["check", "camera", "--wait", "--free"],
      [("busy: cheese (4711)", { $0.change { $0.endProcess(4711) } })])
    #expect(result.output.hasPrefix("allowed: read and write access to /dev/video0"))
    #expect(
      result.errors
        == """
        devaccess: waiting: refused: read and write access to /dev/video0 — busy: cheese (4711)

        """)
    #expect(result.status == .allowed)
  }

  /// For example, another command that waits for the same device tries to open it.
  @Test func `ends after somebody was in the way for a moment`() async {
    machine.change { $0.endProcess(4711) }
    let machine = BrieflyUsedMachine(machine)
    let result = await CommandResult.run(["check", "camera", "--wait=60", "--free"], on: machine)
    #expect(result.status == .allowed)
    #expect(
      result.errors
        == """
        devaccess: waiting: refused: read and write access to /dev/video0 — busy: guvcview (77)

        """)
  }

  @Test func `does not mind programs that keep nobody out`() async throws {
    machine.change {
      $0.endProcess(4711)
      $0.hold("/dev/video0", by: "wireplumber", pid: 3, user: "bob")
    }
    let result = try await result(["check", "camera", "--wait", "--free"], [])
    #expect(result.status == .allowed && result.errors == "")
  }

  @Test func `goes on when it is refused meanwhile`() async throws {
    machine.change {
      $0.run(as: "alice")
      $0.setACL("/dev/video0", user: "alice", [.read, .write])
      $0.endProcess(4711)
      $0.hold("/dev/video0", by: "motion", pid: 12, user: "alice", DeviceHold(isMapped: true))
    }
    let result = try await result(
      ["check", "camera", "--wait", "--free"],
      [
        (
          "busy: motion (12)",
          {
            $0.change {
              $0.setACL("/dev/video0", user: "alice", [])
              $0.endProcess(12)
            }
          }
        ),
        (
          "waiting: refused: read and write access to /dev/video0 — The",
          { $0.change { $0.setACL("/dev/video0", user: "alice", [.read, .write]) } }
        ),
      ])
    #expect(result.status == .allowed)
  }

  @Test func `when time is up, tells who is in the way`() async throws {
    let result = try await result(["check", "camera", "--wait=0.05", "--free"], [])
    #expect(
      result.output == "refused: read and write access to /dev/video0 — busy: cheese (4711)\n")
    #expect(result.status == .refused)
    let json = try await self.result(["check", "camera", "--wait=0", "--free", "--json"], [])
    #expect(json.output.contains(#""answer":"refused""#))
    #expect(json.output.contains(#""exit_status":1"#))
    #expect(json.output.contains(#""occupation":"busy""#))
  }

  @Test func `is undetermined where others cannot be seen`() async throws {
    machine.change { $0.run(as: "bob") }
    machine.change { $0.endProcess(4711) }
    machine.change { $0.unseenProcesses = UnseenProcesses(count: 3, reasons: [.notTraceable]) }
    let result = try await result(["check", "camera", "--wait=0", "--free"], [])
    #expect(
      result.output
        == "undetermined: read and write access to /dev/video0 — no user found; not every process could be inspected\n"
    )
    #expect(result.status == .undetermined)
  }

  @Test func `does not wait unless that is asked for`() async throws {
    let busy = try await result(["check", "camera", "--free"], [])
    #expect(busy.output.hasPrefix("refused: read and write access to /dev/video0 — busy:"))
    #expect(busy.status == .refused && busy.errors == "")
    machine.change { $0.endProcess(4711) }
    let free = try await result(["check", "camera", "--free"], [])
    #expect(free.output.hasPrefix("allowed: read and write access to /dev/video0"))
    #expect(free.status == .allowed)
  }

  @Test func `with a probe ends when opening works`() async throws {
    machine.change { $0.failOpening("/dev/video0", errno: .busy) }
    let result = try await result(
      ["check", "camera", "--wait", "--probe"],
      [
        (
          "waiting: ",
          {
            $0.change {
              $0.failOpening("/dev/video0", errno: 0)
              $0.endProcess(4711)
            }
          }
        )
      ])
    #expect(result.status == .allowed)
    #expect(result.output.contains("openat"))
    #expect(machine.openedPaths == ["/dev/video0"])
  }

  /// Adds a device of another kind that a program has open.
  private func addDevice(_ name: String, _ subsystem: String) {
    machine.change {
      var device = DeviceFacts(
        node: "/dev/\(name)", sysfsPath: "/sys/devices/\(name)", subsystem: subsystem,
        kernelName: name)
      device.number = DeviceNumber(major: 200, minor: UInt32(name.utf8.count))
      $0.addDevice(device, mode: 0o666)
      $0.hold("/dev/\(name)", by: "other", pid: 99, user: "bob")
      $0.unseenProcesses = UnseenProcesses(count: 3, reasons: [.refused])
    }
  }

  @Test func `does not mind who has a device that serves any number of programs`() async throws {
    addDevice("null", "mem")
    let result = try await result(["check", "/dev/null", "--wait=0", "--free"], [])
    #expect(result.output.hasPrefix("allowed: read and write access to /dev/null"))
    #expect(result.status == .allowed && result.errors == "")
  }

  @Test(arguments: [
    ("ttyUSB0", "tty", "in use: other (99)"), ("nst0", "scsi_tape", "busy: other (99)"),
  ])
  func `waits for who has a serial port or a tape drive open`(
    name: String, subsystem: String, words: String
  ) async throws {
    addDevice(name, subsystem)
    machine.change { $0.unseenProcesses = UnseenProcesses() }
    let result = try await result(
      ["check", "/dev/\(name)", "--wait", "--free"],
      [(words, { $0.change { $0.endProcess(99) } })])
    #expect(
      result.errors
        == "devaccess: waiting: refused: read and write access to /dev/\(name) — \(words)\n")
    #expect(result.output.hasPrefix("allowed: read and write access to /dev/\(name)"))
    #expect(result.status == .allowed)
  }

  @Test(arguments: [
    ["check", "album", "--free"], ["check", "album", "--wait=0", "--free"],
    ["check", "/", "--wait=0", "--free"], ["explain", "camera", "--free"],
  ])
  func `makes sense for a device alone`(_ arguments: [String]) async {
    let result = await CommandResult.run(arguments)
    #expect(result.status == .usage)
    #expect(result.hasOneErrorLine)
  }
}
