import AccessModel
import DevicePermissionsTesting
import JSONText
import LinuxDevices
import Testing

@testable import DeviceAccessCommands

@Suite struct `Bad input` {
  static let machine = InMemoryMachine {
    $0.addLink("/dev/dangling", to: "/dev/nowhere")
    $0.addLink("/dev/loop1", to: "/dev/loop2")
    $0.addLink("/dev/loop2", to: "/dev/loop1")
    $0.addFile("/dev/file")
  }

  @Test(
    arguments: ["check", "explain"],
    [
      "/no/such/path", "/dev/dangling", "/dev/loop1", "/dev/file/below",
      "/dev/" + String(repeating: "x", count: 300), "/dev/\u{1B}[2J\u{202E}",
    ])
  func `a path that leads nowhere gets one line and status 3`(
    command: String, path: String
  ) async {
    let result = await CommandResult.run([command, path], on: Self.machine)
    #expect(result.status == .absent)
    #expect(result.output == "")
    #expect(result.hasOneErrorLine, "\(result.errors)")
    #expect(!result.errors.unicodeScalars.contains { $0.isUnprintable && $0 != "\n" })
    #expect(!result.errors.contains(".\n"))
  }

  static let good =
    #"{"id":1,"sysctl":{"protected_symlinks":1},"mounts":[{"at":"/","fstype":"ext4","#
    + #""sb_ro":false,"sb_nodev":false,"ro":false,"nodev":false,"noexec":false,"#
    + #""nosymfollow":false,"idmap":null,"fs_userns":null}],"nodes":[{"path":"/","type":"dir","#
    + #""mode":"0755","uid":0,"gid":0}],"subject":{"ruid":1,"euid":1,"suid":1,"fsuid":1,"#
    + #""rgid":1,"egid":1,"sgid":1,"fsgid":1,"groups":[],"cap_permitted":[],"cap_effective":[],"#
    + #""securebits":0,"userns":null,"devcg":null},"#
    + #""request":{"op":"access","path":"/","mode":"rx","eaccess":true,"nofollow":false}}"#

  @Test(arguments: [
    ("", "is empty, not a snapshot"),
    ("hello", "is plain text, not a snapshot"),
    ("[]", "not a snapshot"),
    ("{}", "not a snapshot"),
    (#"{"format":"other","version":1}"#, "not a snapshot"),
    (#"{"format":"devaccess.snapshot"}"#, "version: it is missing"),
    (#"{"format":"devaccess.snapshot","version":2}"#, "newer version 2"),
    (#"{"format":"devaccess.snapshot","version":1,"case":"#, "the text ends too early"),
    (#"{"format":"devaccess.snapshot","version":1,"case":{}}"#, "case"),
    (#"{"format":"devaccess.snapshot","version":1,"case":[]}"#, "case: expected an object"),
    (String(repeating: "[", count: 1 << 20), "is a JSON array, not a snapshot"),
    (String(repeating: #"{"a":"#, count: 1 << 18), "nested too deeply"),
    (#"{"format":"devaccess.snapshot","version":1,"kind":"\u001b[2J","kind":"a"}"#, "twice"),
    (#"{"format":"devaccess.snapshot","version":99999999999999999999}"#, "version"),
  ])
  func `a snapshot that is none gets one line and status 64`(
    text: String, reason: String
  ) async throws {
    let file = try TemporaryFile(text)
    for command in ["check", "explain"] {
      let result = await CommandResult.run([command, "--from", file.path])
      #expect(result.status == .usage)
      #expect(result.output == "")
      #expect(result.hasOneErrorLine)
      #expect(result.errors.contains(reason), "\(result.errors)")
    }
  }

  @Test func `every truncation of a snapshot is refused and none traps`() async throws {
    let snapshot = await CommandResult.run(["snapshot", "camera"])
    let bytes = Array(snapshot.output.utf8)
    for length in stride(from: 0, to: bytes.count - 2, by: 61) {
      let file = try TemporaryFile(Array(bytes[..<length]))
      let result = await CommandResult.run(["explain", "--from", file.path])
      #expect(result.status == .usage, "\(length) bytes")
      #expect(result.hasOneErrorLine)
    }
  }

  @Test func `a hostile snapshot reaches the terminal in escapes only`() async throws {
    let snapshot = await CommandResult.run(["snapshot", "camera"])
    let hostile = snapshot.output
      .replacing("Integrated Camera", with: #"\u001b[2J\u202e\n"#)
      .replacing("alice", with: #"al\u009bice\u0007"#)
    #expect(hostile != snapshot.output)
    let file = try TemporaryFile(hostile)
    for arguments in [["explain"], ["check"], ["explain", "--json"], ["check", "--json"]] {
      let result = await CommandResult.run(arguments + ["--from", file.path])
      #expect(result.status == .refused, "\(result.errors)")
      #expect(
        !(result.output + result.errors).unicodeScalars.contains {
          $0.isUnprintable && $0 != "\n"
        })
    }
  }

  @Test(arguments: ["/no/such/snapshot.json", "/"])
  func `a snapshot that cannot be read gets one line`(path: String) async {
    let result = await CommandResult.run(["explain", "--from", path])
    #expect(result.status == .usage)
    #expect(result.hasOneErrorLine)
    #expect(result.errors.hasPrefix("devaccess: cannot read \(path): "))
  }

  @Test func `a snapshot cannot be written where there is no directory`() async {
    let result = await CommandResult.run(["snapshot", "camera", "-o", "/no/such/dir/file"])
    #expect(result.status == .internalError)
    #expect(
      result.errors == "devaccess: cannot write /no/such/dir/file: no such file or directory\n")
  }

  @Test(arguments: [
    (
      DeviceError(.unavailable, operation: "list devices"),
      DeviceAccessCommands.ExitStatus.undetermined
    ),
    (DeviceError(.invalidPath, operation: "look at the path", path: "\u{1B}"), .usage),
    (DeviceError(.refused, operation: "open", path: "/dev/video0", errno: 13), .refused),
    (DeviceError(.notADevice, operation: "open", path: "/x"), .absent),
  ])
  func `a machine that cannot be observed gets one line`(
    error: DeviceError, status: DeviceAccessCommands.ExitStatus
  ) async {
    for arguments in [["list"], ["check", "camera"], ["explain", "/dev/x"], ["snapshot", "gpu"]] {
      let result = await CommandResult.run(arguments, on: BrokenMachine(error: error))
      #expect(result.status == status)
      #expect(result.hasOneErrorLine)
      #expect(!result.errors.contains("\u{1B}"))
      let json = await CommandResult.run(arguments + ["--json"], on: BrokenMachine(error: error))
      #expect(json.output.contains(#""error":"cannot "#))
      #expect(json.output.contains(#""exit_status":\#(status.rawValue)}"#))
    }
  }
}
