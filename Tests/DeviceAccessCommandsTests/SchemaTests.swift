import AccessModel
import DevicePermissionsTesting
import JSONReading
import JSONText
import LinuxDevices
import Testing

@testable import DeviceAccessCommands

@Suite struct `The schema` {
  let checker: SchemaChecker

  init() throws {
    checker = try SchemaChecker(Repository.read("Documentation/devaccess.schema.json"))
  }

  @Test func `names itself and the command first`() throws {
    let text = try JSONWriter.encode(ErrorOutput(command: .check, error: "no", exitStatus: 3))
    #expect(
      text == #"{"schema":"devaccess/1","command":"check","error":"no","exit_status":3}"#)
  }

  static let machines: [InMemoryMachine] = [
    Machines.laptop(), Machines.laptop(running: "bob"), Machines.laptop(running: "root"),
    InMemoryMachine(),
    Machines.laptop {
      $0.addLink("/dev/cam", to: "/dev/video0")
      $0.setACLMask("/dev/video0", .read)
      $0.mount(at: "/home", fstype: "ext4", readOnly: true)
    },
    Machines.laptop(running: "bob") {
      $0.refuseBehindTheModel("/dev/video0", [.read, .write], errno: 1)
    },
  ]

  @Test(
    arguments: machines.indices,
    [
      ["status"], ["list"], ["list", "gpu"], ["check", "camera"], ["check", "album", "--read"],
      ["check", "/nowhere"], ["explain", "camera"], ["explain", "album"],
      ["explain", "/dev/video1"],
      ["explain", "/dev/cam"], ["explain", "/"], ["snapshot", "camera"], ["snapshot", "/dev"],
      ["status", "--user=root"], ["list", "--user=root", "--groups=+video,-44"],
      ["check", "camera", "--with-cap=dac_override"], ["explain", "camera", "--user=0"],
      ["snapshot", "camera", "--user", "root", "--without-cap=chown"],
      ["explain", "/dev/cam"], ["explain", "/"], ["explain", "/", "--create"],
      ["explain", "camera", "--container=kubernetes"], ["explain", "/", "--container=docker"],
      ["users"], ["users", "camera"],
      ["check", "/dev", "--list"], ["check", "/dev", "--search"], ["snapshot", "/dev", "--create"],
    ])
  func `describes every output`(machine: Int, arguments: [String]) async throws {
    let result = await CommandResult.run(arguments + ["--json"], on: Self.machines[machine])
    #expect(result.errors == "")
    #expect(result.output.filter { $0 == "\n" }.count == 1)
    let value = try ParsedJSON(parsing: Array(result.output.utf8))
    #expect(checker.problems(value, definition: arguments[0]) == [])
    if let number = value.members?["exit_status"] {
      #expect(number == .integer(Int64(result.status.rawValue)))
    }
  }

  @Test func `describes the example, snapshots and their answers`() async throws {
    let example = try ParsedJSON(parsing: PackageResources.example_snapshot_json)
    #expect(checker.problems(example, definition: "snapshot_document") == [])
    let plain = await CommandResult.run(["snapshot", "camera"])
    #expect(
      checker.problems(
        try ParsedJSON(parsing: Array(plain.output.utf8)), definition: "snapshot_document") == [])
    let explained = await CommandResult.run(["explain", "--example", "--json"])
    #expect(
      checker.problems(
        try ParsedJSON(parsing: Array(explained.output.utf8)), definition: "explain") == [])
  }

  @Test func `describes errors`() async throws {
    let result = await CommandResult.run(
      ["list", "--json"],
      on: BrokenMachine(error: DeviceError(.unavailable, operation: "list devices")))
    let value = try ParsedJSON(parsing: Array(result.output.utf8))
    #expect(checker.problems(value, definition: "error") == [])
  }

  @Test func `describes cases and their answers`() async throws {
    let good = `Bad input`.good
    #expect(
      checker.problems(try ParsedJSON(parsing: Array(good.utf8)), definition: "case") == [])
    let undecided = good.replacing("\"ext4\"", with: "\"fuse\"")
    let file = try TemporaryFile(
      good + "\n" + good.replacing("\"rx\"", with: "\"rwx\"") + "\n" + undecided)
    let result = await CommandResult.run(["decide", "--from", file.path])
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.last?.contains(#""undecided":true"#) == true)
    for line in lines {
      let value = try ParsedJSON(parsing: Array(line.utf8))
      #expect(checker.problems(value, definition: "case_answer") == [])
    }
  }

  @Test(arguments: [
    #""id":1,"#, #""sysctl":{"protected_symlinks":1},"#, #""protected_symlinks":1"#, #""at":"/","#,
    #""fstype":"ext4","#, #""sb_ro":false,"#, #""sb_nodev":false,"#, #""ro":false,"#,
    #""nodev":false,"#, #""noexec":false,"#, #""nosymfollow":false,"#, #""idmap":null,"#,
    #","fs_userns":null"#, #""path":"/","#, #""type":"dir","#, #""mode":"0755","#, #","gid":0"#,
    #""ruid":1,"#, #""fsuid":1,"#, #""fsgid":1,"#, #""groups":[],"#, #""cap_permitted":[],"#,
    #""cap_effective":[],"#, #""securebits":0,"#, #""userns":null,"#, #""type":"c","#,
    #""major":null,"#, #""minor":2,"#, #","access":"r""#, #""op":"access","#, #""mode":"rx","#,
    #""eaccess":true,"#, #","nofollow":false"#,
  ])
  func `requires the members that a case needs`(member: String) throws {
    let list =
      #"{"default":"allow","exceptions":[{"type":"c","major":null,"minor":2,"access":"r"}]}"#
    let whole = `Bad input`.good.replacing(#""devcg":null"#, with: #""devcg":"# + list)
    let part = Array(whole.replacing(member, with: "", maxReplacements: 1).utf8)
    #expect(part.count < whole.utf8.count)
    let isCase = (try? JSONReader.decode(AccessCase.self, from: part)) != nil
    #expect((checker.problems(try ParsedJSON(parsing: part), definition: "case") == []) == isCase)
  }

  @Test(arguments: [
    ("rule", Rule.allCases.map(\.rawValue)), ("cause_code", CauseCode.allCases.map(\.rawValue)),
    ("permission_status", PermissionStatus.allCases.map(\.rawValue)),
  ])
  func `lists every word`(definition: String, words: [String]) {
    for word in words {
      #expect(checker.problems(.string(word), definition: definition) == [])
    }
    #expect(checker.problems(.string("made up"), definition: definition) != [])
  }

  @Test func `its checker sees what is wrong`() async throws {
    let result = await CommandResult.run(["check", "camera", "--json"])
    for (old, new) in [
      ("\"refused\"", "\"maybe\""), ("\"path\":", "\"pfad\":"),
      ("\"exit_status\":1", "\"exit_status\":\"1\""),
      ("devaccess/1", "devaccess/2"), ("[\"read\"", "[\"reed\""),
      ("\"kind\":", "\"extra\":1,\"kind\":"),
    ] {
      let wrong = result.output.replacing(old, with: new)
      #expect(wrong != result.output)
      let value = try ParsedJSON(parsing: Array(wrong.utf8))
      #expect(checker.problems(value, definition: "check") != [], "\(new)")
    }
  }
}
