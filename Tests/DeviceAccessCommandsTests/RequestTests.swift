import DevicePermissions
import DevicePermissionsTesting
import JSONReading
import LinuxDevices
import MachineSamples
import Testing

@testable import DeviceAccessCommands

@Suite struct `devaccess request` {
  private func stranger(_ person: PortalOutcome?) -> InMemoryMachine {
    InMemoryMachine(portal: person.map { InMemoryPortal(person: $0) }) {
      $0.addUser("alice", id: 1000)
      $0.addCamera(tags: [])
      $0.run(as: "alice")
    }
  }

  @Test func `says by which method access was given`() async {
    let allowed = await CommandResult.run(
      ["request", "camera"], on: Machines.laptop(running: "bob"))
    #expect(allowed.output == "allowed: /dev/video0 — access was already allowed\n")
    #expect(allowed.errors == "")
    #expect(allowed.status == .allowed)
    let portal = await CommandResult.run(["request", "camera"], on: stranger(.granted))
    #expect(
      portal.output
        == "allowed: camera — the portal gave access, until its stored answer is changed\n")
    #expect(
      portal.errors == "devaccess: asking the camera portal, which may show a dialog\n")
    let raised = await CommandResult.run(
      ["request", "/dev/video0"],
      on: InMemoryMachine {
        $0.addUser("alice", id: 1000)
        $0.addCamera()
        $0.run(as: "alice", permitted: [.overrideFileAccess])
      })
    #expect(raised.output == "allowed: /dev/video0 — a capability was raised to open it\n")
  }

  @Test func `shows a refusal with every method, and where it is changed`() async {
    let result = await CommandResult.run(["request", "camera"], on: stranger(.refused))
    #expect(result.status == .refused)
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines[0] == "refused: /dev/video0 — The portal refused, and remembers the refusal.")
    #expect(lines[1].hasPrefix("  authorized: not available — "))
    #expect(lines[2] == "  portal: refused — The portal refused, and remembers the refusal.")
    #expect(lines[3].hasPrefix("  capability: not available — "))
    #expect(lines[4].hasPrefix("  broker: not available"))
    #expect(lines[5].hasPrefix("  fix: "))
    #expect(lines[6].hasPrefix("    $ "))
  }

  @Test func `says of a fix what explain does`() async throws {
    let machine = InMemoryMachine {
      $0.addUser("alice", id: 1000, groups: ["video"])
      $0.addCamera(tags: [])
      $0.confinement.container = "snap"
      $0.confinement.label = "snap.cam.app (enforce)"
      $0.refuseBehindTheModel("/dev/video0", errno: .notPermitted)
      $0.run(as: "alice")
    }
    let explained = try machine.facts(for: Question(.kind(.camera))).explain()
    let fix = try #require(explained.remedies.first { !$0.commands.isEmpty })
    let excess = try #require(fix.excess)
    let result = await CommandResult.run(["request", "camera"], on: machine)
    let words = result.output.split { " \n".contains($0) }.joined(separator: " ")
    #expect(words.contains("This also gives \(excess)"), "\(result.output)")
    let json = await CommandResult.run(["request", "camera", "--json"], on: machine)
    let settings = try ParsedJSON(parsing: Array(json.output.utf8)).members?["settings"]
    #expect(settings?.members?["excess"] == .string(excess))
  }

  @Test func `escapes what a portal writes`() async {
    let result = await CommandResult.run(
      ["request", "camera"], on: stranger(.failed("\u{1B}[31mred")))
    #expect(!result.output.contains("\u{1B}"))
    #expect(result.output.contains("\\x1B[31mred") || result.output.contains("[31mred"))
    let forbidden = await CommandResult.run(["request", "camera"], on: stranger(.forbidden))
    #expect(forbidden.output.contains("desktop settings forbid"))
    #expect(forbidden.status == .refused)
  }

  @Test func `has the exit status of check where there is no camera`() async {
    let result = await CommandResult.run(["request", "camera"], on: InMemoryMachine())
    #expect(result.status == .absent)
  }

  @Test(arguments: [
    (["request"], "specify a"), (["request", "album", "--read"], "album takes --access"),
    (["request", "album", "--access=all"], "add or read-write"),
    (["request", "camera", "--access=add"], "--access is for the album"),
    (["request", "album", "--name=x"], "--name is for cameras and microphones"),
    (["request", "/dev/x", "--name=x"], "--name is for cameras and microphones"),
    (["request", "camera", "--name="], "--name takes the name of a device"),
    (["request", "gpu"], "not gpu"),
    (["request", "camera", "--select"], "--select is for the album"),
    (["request", "/dev/null", "--select"], "--select is for the album"),
    (["request", "album", "--select", "--access=add"], "cannot be used with --access"),
    (["request", "album", "--select", "--road=portal"], "cannot be used with --method"),
    (["request", "album", "--select", "--json", "--", "true"], "--json cannot be used"),
    (["request", "album", "--select", "--timeout=x"], "number of seconds"),
    (
      ["request", "camera", "--method=root"],
      "--method takes authorized, creation, portal, capability or broker"
    ),
    (["request", "camera", "--timeout=-1"], "number of seconds"),
    (["request", "camera", "--timeout=x"], "number of seconds"),
    (["request", "camera", "extra"], "unexpected argument 'extra'"),
    (["request", "camera", "--json", "--", "true"], "--json cannot be used with a command"),
    (["request", "--", "camera"], "specify a"),
    (["request", "camera", "--"], "-- must be followed by the COMMAND"),
    (["request", "/dev/null", "--"], "-- must be followed by the COMMAND"),
    (["request", "album", "--access=add", "--"], "-- must be followed by the COMMAND"),
    (["request", "album", "--select", "--"], "-- must be followed by the COMMAND"),
    (["request", "album", "--select", "--json", "--"], "-- must be followed by the COMMAND"),
  ])
  func `refuses what it does not understand`(arguments: [String], words: String) async {
    let result = await CommandResult.run(arguments)
    #expect(result.status == .usage)
    #expect(result.hasOneErrorLine)
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  @Test(arguments: ["--method", "--road", "--meth"])
  func `tries only the named method`(option: String) async throws {
    let result = await CommandResult.run(
      ["request", "camera", "\(option)=capability", "--json"], on: stranger(.granted))
    #expect(result.status == .refused)
    let value = try ParsedJSON(parsing: Array(result.output.utf8))
    guard case .array(let trials) = value.members?["trials"] else {
      Issue.record("no trials")
      return
    }
    #expect(trials.count == 1)
  }

  @Test(arguments: [
    ("creation", "Only the album can be created."),
    ("portal", "There is no camera portal."),
    ("capability", "The device can be opened without raising a capability."),
    ("broker", "The broker is asked only if access to an existing device is refused."),
  ])
  func `is refused where the named method does not lead to what may be opened as it is`(
    method: String, reason: String
  ) async throws {
    let machine = Machines.laptop(running: "bob")
    let arguments = ["request", "/dev/video0", "--road=\(method)"]
    let text = await CommandResult.run(arguments, on: machine)
    #expect(
      text.output
        == """
        refused: /dev/video0 — \(reason)
          \(method): not available — \(reason)

        """)
    #expect(text.status == .refused)
    let json = await CommandResult.run(arguments + ["--json"], on: machine)
    #expect(json.status == .refused)
    let members = try #require(try ParsedJSON(parsing: Array(json.output.utf8)).members)
    #expect(members["answer"] == .string("refused"))
    #expect(members["exit_status"] == .integer(1))
    #expect(members["reason"] == .string(reason))
    let command = await CommandResult.run(arguments + ["--", "/bin/true"], on: machine)
    #expect(command.errors.hasPrefix("devaccess: refused: /dev/video0 — \(reason)\n"))
    #expect(command.output == "")
    #expect(command.status == .refused)
  }

  @Test func `says that an allowed device cannot be opened, and does not run the command`() async {
    let machine = Machines.laptop(running: "bob") { $0.failOpening("/dev/video0", errno: .busy) }
    let text = await CommandResult.run(["request", "camera"], on: machine)
    #expect(text.status == .refused)
    #expect(text.output.hasPrefix("refused: /dev/video0 — /dev/video0 is busy: "), "\(text.output)")
    let command = await CommandResult.run(["request", "camera", "--", "/bin/true"], on: machine)
    #expect(command.status == .refused)
    #expect(!command.errors.contains("allowed"), "\(command.errors)")
    #expect(command.errors.contains("/dev/video0"), "\(command.errors)")
  }

  @Test func `refuses what is there and is not a device`() async {
    let machine = Machines.laptop(running: "bob") { $0.addFile("/home/bob/foo", owner: "bob") }
    let result = await CommandResult.run(["request", "/home/bob/foo"], on: machine)
    #expect(result.status == .refused)
    #expect(result.output.hasPrefix("refused: /home/bob/foo — /home/bob/foo is not a device; "))
  }

  @Test(arguments: [
    PortalOutcome.granted, .refused, .timedOut, .failed("it broke"), .forbidden, .absent("gone"),
  ])
  func `is described by the schema`(person: PortalOutcome) async throws {
    let checker = try SchemaChecker(Repository.read("Documentation/devaccess.schema.json"))
    for machine in [stranger(person), Machines.laptop(running: "bob"), InMemoryMachine()] {
      let result = await CommandResult.run(["request", "camera", "--json"], on: machine)
      let value = try ParsedJSON(parsing: Array(result.output.utf8))
      #expect(checker.problems(value, definition: "request_answer") == [])
      #expect(value.members?["exit_status"] == .integer(Int64(result.status.rawValue)))
    }
  }

  @Test func `opens the camera that has the name`() async throws {
    let machine = Machines.laptop(running: "bob") { $0.addCamera(2, name: "Back Camera") }
    let back = await CommandResult.run(["request", "camera", "--name=back camera"], on: machine)
    #expect(back.output == "allowed: /dev/video2 — access was already allowed\n")
    let none = await CommandResult.run(["request", "camera", "--name=\u{1B}[1m"], on: machine)
    #expect(none.status == .absent)
    #expect(none.output.contains("No device of this kind has that name."))
    #expect(!none.output.contains("\u{1B}"))
    // Here, `--` is the value of an option and does not precede a command.
    let mark = await CommandResult.run(["request", "camera", "--name", "--"], on: machine)
    #expect(mark.status == .absent)
  }

  @Test func `opens a microphone`() async {
    let machine = InMemoryMachine {
      $0.addUser("alice", id: 1000, groups: ["audio"])
      $0.addMicrophone()
      $0.run(as: "alice")
    }
    let result = await CommandResult.run(["request", "microphone"], on: machine)
    #expect(result.output == "allowed: /dev/snd/pcmC0D0c — access was already allowed\n")
    #expect(result.status == .allowed)
    let check = await CommandResult.run(["check", "microphone"], on: machine)
    #expect(check.status == .allowed)
    let none = await CommandResult.run(["request", "microphone"], on: InMemoryMachine())
    #expect(none.status == .absent)
  }

  @Test func `creates a missing album`() async {
    let machine = AlbumMachine.make()
    let check = await CommandResult.run(["check", "album"], on: machine)
    #expect(check.status == .absent)
    let result = await CommandResult.run(["request", "album", "--access=add"], on: machine)
    #expect(
      result.output == "allowed: /home/alice/Pictures — the pictures directory was created\n")
    #expect(result.errors == "devaccess: creating the pictures directory\n")
    #expect(result.status == .allowed)
    let again = await CommandResult.run(["request", "album"], on: machine)
    #expect(again.output == "allowed: /home/alice/Pictures — access was already allowed\n")
    #expect(again.errors == "")
  }

  @Test func `does not announce an album that cannot be created`() async {
    let machine = AlbumMachine.make { $0.environment["XDG_PICTURES_DIR"] = "/home/alice/a/b/c" }
    let result = await CommandResult.run(["request", "album"], on: machine)
    #expect(result.errors == "")
    #expect(result.status == .absent)
    #expect(result.output.contains("creation: not available — /home/alice/a/b does not exist."))
  }

  @Test func `shows how the levels of an album stand, and escapes names`() async throws {
    let path = "/home/alice/Pictures"
    let dropBox = AlbumMachine.make { $0.addDirectory(path, mode: 0o300, owner: "alice") }
    let refused = await CommandResult.run(["request", "album"], on: dropBox)
    #expect(refused.status == .refused)
    #expect(refused.output.contains("\n  add: authorized\n  read-write: limited\n"))
    let some = AlbumMachine.make {
      $0.addDirectory(path, mode: 0o700, owner: "alice")
      $0.addFile("\(path)/mine.png", owner: "alice")
      for number in 1...10 {
        $0.addFile("\(path)/\u{1B}[31m\(number).png", mode: 0o600, owner: "bob")
      }
    }
    let limited = await CommandResult.run(["request", "album"], on: some)
    #expect(limited.status == .allowed)
    #expect(!limited.output.contains("\u{1B}"))
    let lines = limited.output.split(separator: "\n")
    #expect(lines[0] == "allowed: \(path) — 10 pictures cannot be read.")
    #expect(lines.filter { $0.hasPrefix("  cannot be read: ") }.count == 8)
    #expect(lines.last == "  and 2 others")
    let checker = try SchemaChecker(Repository.read("Documentation/devaccess.schema.json"))
    for machine in [dropBox, some, AlbumMachine.make()] {
      let result = await CommandResult.run(["request", "album", "--json"], on: machine)
      let value = try ParsedJSON(parsing: Array(result.output.utf8))
      #expect(checker.problems(value, definition: "request_answer") == [])
      #expect(value.members?["album"] != nil)
    }
  }

  private func selecting(_ reply: PortalFileReply) -> InMemoryMachine {
    AlbumMachine.make(portal: InMemoryPortal(selection: reply)) {
      $0.addFile("/home/alice/a.png", mode: 0o600, owner: "alice")
      $0.addFile("/home/alice/b.png", mode: 0o444, owner: "bob")
      $0.addFile("/home/alice/\u{1B}[31m.png", mode: 0o600, owner: "bob")
    }
  }

  private static let chosen = PortalFileReply(
    choosing: ["a", "b", "\u{1B}[31m"].map { "/home/alice/\($0).png" },
    unusable: [
      UnusableURI("http://\u{1B}[1m", reason: "it is not a URI of the scheme file"),
      UnusableURI("", reason: "it is not a string, or it is too long"),
    ], isComplete: false)

  @Test func `lists the files that a person chooses`() async {
    let result = await CommandResult.run(
      ["request", "album", "--select"], on: selecting(Self.chosen))
    #expect(result.status == .allowed)
    #expect(
      result.output == #"""
        allowed: album — 2 chosen files can be read
          read-write: /home/alice/a.png
          read: /home/alice/b.png
          cannot be read: /home/alice/\x1b[31m.png — permission denied
          not a file: http://\x1b[1m — it is not a URI of the scheme file
          not a file: ? — it is not a string, or it is too long
          too many files were chosen; the rest are left out

        """#)
    #expect(
      result.errors == "devaccess: asking the file chooser portal, which shows a dialog\n")
  }

  @Test(arguments: [
    (PortalFileReply(.refused), 1, "refused: album — No file was chosen"),
    (PortalFileReply(.interrupted), 1, "refused: album — The dialog ended"),
    (PortalFileReply(.timedOut), 2, "undetermined: album — The dialog timed out"),
    (PortalFileReply(.failed("\u{1B}[31mred")), 2, #"The portal failed: \x1b[31mred."#),
    (PortalFileReply(.absent("gone")), 3, "absent: album — There is no file chooser"),
    (PortalFileReply(choosing: []), 1, "refused: album — No file was chosen."),
    (PortalFileReply(choosing: ["/none"]), 1, "cannot be read: /none — no such file"),
  ])
  func `says why nothing was chosen`(
    reply: PortalFileReply, status: Int32, words: String
  ) async {
    let result = await CommandResult.run(
      ["request", "album", "--select"], on: selecting(reply))
    #expect(result.status.rawValue == status)
    #expect(result.output.contains(words), "\(result.output)")
    #expect(!result.output.contains("\u{1B}"))
    // If there is no file to read, no command is run.
    let command = await CommandResult.run(
      ["request", "album", "--select", "--", "/bin/true"], on: selecting(reply))
    #expect(command.status.rawValue == status)
    #expect(command.output == "")
    #expect(!command.errors.contains("\u{1B}"))
  }

  @Test func `describes a selection by the schema`() async throws {
    let checker = try SchemaChecker(Repository.read("Documentation/devaccess.schema.json"))
    for reply in [
      Self.chosen, PortalFileReply(choosing: []), PortalFileReply(.refused),
      PortalFileReply(.timedOut), PortalFileReply(.failed("no")), PortalFileReply(.absent("gone")),
      PortalFileReply(.forbidden),
    ] {
      let result = await CommandResult.run(
        ["request", "album", "--select", "--json"], on: selecting(reply))
      let value = try ParsedJSON(parsing: Array(result.output.utf8))
      #expect(checker.problems(value, definition: "request_selection") == [])
      #expect(value.members?["exit_status"] == .integer(Int64(result.status.rawValue)))
      #expect(value.members?["kind"] == .string("album"))
    }
  }

  @Test func `waits longer for a person who chooses`() async {
    let portal = InMemoryPortal()
    let machine = AlbumMachine.make(portal: portal)
    for option in [[], ["--timeout=7"]] {
      _ = await CommandResult.run(["request", "album", "--select"] + option, on: machine)
    }
    #expect(portal.fileRequests.map(\.timeout) == [.seconds(600), .seconds(7)])
  }
}
