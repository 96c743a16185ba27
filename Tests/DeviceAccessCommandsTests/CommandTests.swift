import AccessModel
import DevicePermissionsTesting
import LinuxDevices
import Testing

@testable import DeviceAccessCommands

@Suite struct `Commands` {
  @Test func `check says no in one line and by its status`() async {
    let result = await CommandResult.run(["check", "camera"])
    #expect(
      result.output == """
        refused: read and write access to /dev/video0 — /dev/video0 gives group video (44) read \
        and write access, but alice (1001) is not in that group.

        """)
    #expect(result.errors == "")
    #expect(result.status == .refused)
  }

  @Test func `check says yes to the user at the seat`() async {
    let result = await CommandResult.run(["check", "camera"], on: Machines.laptop(running: "bob"))
    #expect(result.output == "allowed: read and write access to /dev/video0\n")
    #expect(result.status == .allowed)
  }

  @Test func `check can be quiet`() async {
    let result = await CommandResult.run(["check", "--quiet", "camera"])
    #expect(result.output == "" && result.errors == "")
    #expect(result.status == .refused)
  }

  @Test func `read and write are told apart`() async {
    let machine = Machines.laptop { $0.setACL("/dev/video0", user: "alice", .read) }
    let read = await CommandResult.run(["check", "camera", "--read"], on: machine)
    #expect(read.output == "allowed: read access to /dev/video0\n")
    let write = await CommandResult.run(["check", "/dev/video0", "--write"], on: machine)
    #expect(write.output.hasPrefix("refused: write access to /dev/video0 — "))
    #expect(write.status == .refused)
  }

  @Test func `a refusal that only the kernel knows of is never an allowance`() async {
    let machine = Machines.laptop(running: "bob") {
      $0.refuseBehindTheModel("/dev/video0", [.read, .write], errno: 1)
    }
    let result = await CommandResult.run(["check", "camera"], on: machine)
    #expect(result.status != .allowed)
    #expect(!result.output.hasPrefix("allowed"))
  }

  @Test func `a machine without a camera has status 3`() async {
    let machine = InMemoryMachine()
    let check = await CommandResult.run(["check", "camera"], on: machine)
    #expect(check.status == .absent)
    #expect(check.output.hasPrefix("absent: camera — "))
    let explain = await CommandResult.run(["explain", "camera"], on: machine)
    #expect(explain.status == .absent)
    #expect(explain.output.hasPrefix("camera: absent\n"))
    #expect(explain.output.contains("NODE_ABSENT"))
  }

  @Test func `explain shows what would bring a missing node back, and check one line`() async {
    let explain = await CommandResult.run(["explain", "/dev/video7"])
    #expect(explain.status == .absent && explain.errors == "")
    for part in [
      "absent", "NODE_RENUMBERED", "\nFix        Use /dev/video0, the camera's own node",
    ] {
      #expect(explain.output.contains(part), "no \(part) in:\n\(explain.output)")
    }
    let check = await CommandResult.run(["check", "/dev/video7"])
    #expect(check.status == .absent && check.output == "")
    #expect(check.errors.split(separator: "\n").count == 1)
    // Without a fix, there is nothing more to show.
    let mistyped = await CommandResult.run(["explain", "/dev/vidoe"])
    #expect(mistyped.status == .absent && mistyped.output == "")
    #expect(mistyped.errors == "devaccess: /dev/vidoe does not exist\n")
  }

  @Test func `explain says why a secret is kept from a container that lacks it`() async {
    let machine = Machines.laptop { $0.confinement.container = "docker" }
    let explain = await CommandResult.run(["explain", "/dev/mem"], on: machine)
    #expect(explain.status == .absent)
    #expect(explain.output.contains("\nNote       /dev/mem exposes the memory of every program"))
    #expect(!explain.output.contains("--device"))
  }

  @Test func `explain names cause, fix and evidence`() async {
    let result = await CommandResult.run(["explain", "camera"])
    #expect(result.status == .refused)
    #expect(result.output.hasPrefix("camera: refused — read and write access to /dev/video0\n"))
    for part in [
      "GROUP_NOT_MEMBER", "\n✗  crw-rw----+  root  video  video0", "user:bob:rw-", "\nFix ",
      "\n           # usermod -aG video alice\n", "by acl.other", "\n--verbose shows ",
      "\nUntil then Add an ACL entry for alice (1001) to /dev/video0 (rw-)\n"
        + "           # setfacl -m u:alice:rw /dev/video0\n           Lasts until ",
    ] {
      #expect(result.output.contains(part), "no \(part) in:\n\(result.output)")
    }
    #expect(!result.output.contains("Evidence"))
    #expect(!result.output.contains("could still refuse"))
    let verbose = await CommandResult.run(["explain", "camera", "--verbose"])
    for part in [
      "usermod -aG video alice", "\nEvidence ", "\nStatus ", "proven",
      "\nUntil then    2. Add an ACL entry for alice (1001) to /dev/video0",
    ] {
      #expect(verbose.output.contains(part), "no \(part) in:\n\(verbose.output)")
    }
    #expect(!result.output.contains("666"))
    let json = await CommandResult.run(["explain", "camera", "--json"])
    #expect(json.output.contains(#""ended_by":"device_event","until_then":true"#), "\(json.output)")
  }

  @Test func `the example explains itself on any machine`() async {
    let result = await CommandResult.run(
      ["explain", "--example"],
      on: BrokenMachine(error: DeviceError(.unavailable, operation: "be used")))
    #expect(result.status == .refused)
    #expect(result.output.contains("GROUP_NOT_MEMBER"))
    #expect(result.output.contains("bob"))
    // Along with the prompt, the output fits a terminal with 28 lines and 80 columns.
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 27, "\(lines.count) lines")
    #expect(lines.allSatisfy { Columns.width(String($0)) <= 80 }, "\(result.output)")
  }

  @Test(arguments: [("bob", "ok"), ("alice", "EACCES")])
  func `explain shows what opening the device came to`(user: String, result: String) async {
    let machine = Machines.laptop(running: user)
    let text = await CommandResult.run(["explain", "camera", "--probe"], on: machine).output
    let line = "\nTried      /dev/video0: openat(2) with O_RDWR|O_NONBLOCK: \(result)\n"
    #expect(text.contains(line), "\(text)")
    let untried = await CommandResult.run(["explain", "camera"], on: machine).output
    #expect(!untried.contains("Tried"))
  }

  @Test(arguments: [
    (["--user=alice"], "--user=alice"),
    (
      ["-u", "alice", "--groups=", "--groups=-video,+audio"],
      "--user=alice --groups= --groups=+audio,-video"
    ),
    (
      ["--groups=audio", "--with-cap=cap_net_raw", "--without-cap", "chown,kill"],
      "--groups=audio --with-cap=net_raw --without-cap=chown,kill"
    ),
  ])
  func `status says where to learn more of the same subject`(
    options: [String], shown: String
  ) async throws {
    let result = await CommandResult.run(["status"] + options)
    let line = try #require(result.output.split(separator: "\n").last { $0.hasPrefix("See: ") })
    let words = line.split(separator: " ").dropFirst(4).map(String.init)
    #expect(words.joined(separator: " ") == shown, "\(result.output)\(result.errors)")
    let again = await CommandResult.run(["status"] + words)
    #expect(again.output == result.output)
  }

  @Test func `status shows both permissions and where to learn more`() async {
    let result = await CommandResult.run(["status"])
    #expect(result.status == .allowed)
    let lines = result.output.split(separator: "\n")
    #expect(lines[0] == "KIND    STATUS      DEVICE   CERTAINTY  REASON")
    #expect(lines[1].hasPrefix("camera  denied"))
    #expect(lines.contains { $0.hasPrefix("album   authorized") })
    #expect(lines.last == "See: devaccess explain camera")
    let bare = await CommandResult.run([])
    #expect(bare.output == result.output)
  }

  @Test(
    arguments: [("bob", "rw", ["opens"], ["free"]), ("alice", "--", ["open:", "EACCES"], [])])
  func `list shows what opening each device came to`(
    user: String, access: String, result: [String], use: [String]
  ) async {
    let machine = Machines.laptop(running: user)
    let text = await CommandResult.run(["list", "--probe"], on: machine)
    #expect(text.status == .allowed)
    let rows = text.output.split(separator: "\n").map {
      $0.split(separator: " ").map(String.init)
    }
    #expect(rows.count == 3, "\(text.output)")
    #expect(rows[1] == ["/dev/video0", access] + result + use + ["capture", "(likely)"])
    #expect(rows[2] == ["/dev/video1", access] + result + ["metadata", "(likely)"])
  }

  @Test func `list groups nodes by device, with role and access`() async {
    let result = await CommandResult.run(["list", "camera"])
    #expect(result.status == .allowed)
    let rows = result.output.split(separator: "\n").map {
      $0.split(separator: " ").map(String.init)
    }
    #expect(rows[0] == ["1.", "Integrated", "Camera", "(usb", "1-1,", "driver", "uvcvideo)"])
    #expect(rows[1] == ["/dev/video0", "--", "capture", "(likely)"])
    #expect(rows[2] == ["/dev/video1", "--", "metadata", "(likely)"])
    let bob = await CommandResult.run(["list", "camera"], on: Machines.laptop(running: "bob"))
    #expect(bob.output.contains("/dev/video0  rw  free  capture"))
  }

  @Test func `list shows every kind`() async throws {
    let result = await CommandResult.run(["list"])
    #expect(result.output.hasPrefix("camera\n  1. Integrated Camera (usb 1-1"))
    #expect(
      result.output.hasSuffix(
        "No devices found for: microphone, gpu, serial, input, hidraw, kvm, usb\n"))
    let json = await CommandResult.run(["list", "--json"])
    #expect(json.output.contains(#""kind":"all""#) && json.output.contains(#""kind":"camera""#))
  }

  @Test func `list tells equal cameras apart`() async {
    let machine = InMemoryMachine {
      $0.addUser("alice", id: 1000)
      $0.addCamera()
      $0.addCamera(2)
      $0.run(as: "alice")
    }
    let result = await CommandResult.run(["list", "camera"], on: machine)
    let headings = result.output.split(separator: "\n").filter {
      $0.hasPrefix("1. ") || $0.hasPrefix("2. ")
    }
    #expect(headings.count == 2)
    #expect(Set(headings.map { $0.dropFirst(3) }).count == 2, "\(result.output)")
  }

  @Test func `list says that there is nothing`() async {
    let result = await CommandResult.run(["list", "gpu"])
    #expect(result.output.hasPrefix("no gpu devices"))
    #expect(result.status == .allowed)
  }

  @Test func `nothing is opened by any command`() async {
    let machine = Machines.laptop(running: "bob")
    for arguments in [
      ["status"], ["list"], ["check", "camera"], ["explain", "camera"],
      ["snapshot", "camera"],
    ] {
      _ = await CommandResult.run(arguments, on: machine)
    }
    #expect(machine.openedPaths == [])
  }

  @Test func `a snapshot explains as the machine did`() async throws {
    let machine = Machines.laptop()
    let snapshot = await CommandResult.run(["snapshot", "camera"], on: machine)
    #expect(snapshot.status == .allowed)
    let file = try TemporaryFile(snapshot.output)
    let there = await CommandResult.run(["explain", "camera"], on: machine)
    let here = await CommandResult.run(["explain", "--from", file.path], on: InMemoryMachine())
    #expect(here.output == there.output)
    #expect(here.status == there.status)
    let descriptor = try file.open()
    let piped = await CommandResult.run(
      ["explain", "--from=-"], on: InMemoryMachine(), input: descriptor)
    #expect(piped.output == there.output)
    let read = await CommandResult.run(["check", "--from", file.path, "--read"])
    #expect(read.output.hasPrefix("refused: read access to /dev/video0 —"))
  }

  @Test func `a snapshot can be written to a file`() async throws {
    let file = try TemporaryFile("something longer than nothing")
    let machine = Machines.laptop()
    let written = await CommandResult.run(["snapshot", "camera", "-o", file.path], on: machine)
    #expect(written.output == "" && written.errors == "" && written.status == .allowed)
    let printed = await CommandResult.run(["snapshot", "camera"], on: machine)
    #expect(try file.contents() == printed.output)
  }

  @Test func `the version is shown`() async {
    let result = await CommandResult.run(["--version"])
    #expect(result.output == "devaccess \(DeviceAccessProgram.version)\n")
  }

  @Test func `colours are for terminals`() async {
    let environment = ["LANG": "C.UTF-8", "TERM": "xterm"]
    let terminal = await CommandResult.run(
      ["check", "camera"], environment: environment, output: RecordingSink(isTerminal: true))
    #expect(terminal.output.hasPrefix("\u{1B}[31mrefused\u{1B}[0m: "))
    let pipe = await CommandResult.run(["check", "camera"], environment: environment)
    #expect(!pipe.output.contains("\u{1B}"))
    let forced = await CommandResult.run(["check", "camera", "--color=always"])
    #expect(forced.output.contains("\u{1B}"))
  }

  @Test func `a reader that went away is nobody's fault`() async {
    let result = await CommandResult.run(
      ["check", "camera"], output: RecordingSink(failure: .closed))
    #expect(result.errors == "")
    #expect(result.status == .refused)
  }

  @Test func `a full disk is an error`() async {
    let result = await CommandResult.run(
      ["check", "camera"], output: RecordingSink(failure: .failed(.noSpace)))
    #expect(
      result.errors == "devaccess: cannot write to standard output: no space left on device\n")
    #expect(result.status == .internalError)
  }
}
