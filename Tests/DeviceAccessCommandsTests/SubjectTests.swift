import AccessModel
import DevicePermissionsTesting
import Testing

@testable import DeviceAccessCommands

@Suite struct `Subjects` {
  @Test(
    arguments: [
      (["--user", "bob"], .user("bob"), SubjectVariation()),
      (["-u0"], .user("0"), SubjectVariation()),
      (["--pid=1"], .process(1), SubjectVariation()),
      (["--pid", "2147483647"], .process(.max), SubjectVariation()),
      (["--unit", "motion"], .unit("motion"), SubjectVariation()),
      (["-U", "a@b\\x2dc.service"], .unit("a@b\\x2dc.service"), SubjectVariation()),
      (["--groups", "a,44"], .ownProcess, SubjectVariation(groups: ["a", "44"])),
      (["--groups="], .ownProcess, SubjectVariation(groups: [])),
      (
        ["-G", "+a,-b,+c"], .ownProcess,
        SubjectVariation(addedGroups: ["a", "c"], removedGroups: ["b"])
      ),
      (
        ["--groups=x,+a", "--groups=-b"], .ownProcess,
        SubjectVariation(groups: ["x"], addedGroups: ["a"], removedGroups: ["b"])
      ),
      (
        ["--with-cap=CAP_DAC_OVERRIDE,fowner", "--with-cap", "3", "--user=a"], .user("a"),
        SubjectVariation(addedCapabilities: [.overrideFileAccess, .actAsFileOwner])
      ),
      (
        ["--without-cap", "cap_chown", "--pid", "7"], .process(7),
        SubjectVariation(removedCapabilities: [.changeOwner])
      ),
    ] as [([String], SubjectSelector, SubjectVariation)])
  func `are understood by every command that asks`(
    arguments: [String], selector: SubjectSelector, variation: SubjectVariation
  ) throws {
    let question = Question(.kind(.camera), subject: selector, variation: variation)
    var subject = SubjectOptions()
    subject.selector = selector
    subject.variation = variation
    let commands: [any Command] = [
      CheckCommand(source: .machine(question)), ExplainCommand(source: .machine(question)),
      SnapshotCommand(questions: [question]), StatusCommand(subject: subject),
      ListCommand(kind: .camera, subject: subject),
    ]
    for command in commands {
      let kind = command is StatusCommand ? [] : ["camera"]
      let understood = try Invocation([command.name.rawValue] + kind + arguments).command
      #expect(understood?.isEqual(to: command) == true, "\(command.name)")
    }
  }

  @Test(arguments: [
    (["--user", "a", "--pid", "1"], "--user and --pid cannot be used together"),
    (["--unit", "a", "--user", "b"], "--user and --unit cannot be used together"),
    (["--user="], "--user has an empty value"), (["--user"], "needs a value (NAME|UID)"),
    (["--user", String(repeating: "x", count: 300)], "longer than 256 bytes"),
    (["--pid", "0"], "--pid takes a process ID, not '0'"),
    (["--pid", "-1"], "not '-1'"), (["--pid", "+1"], "not '+1'"), (["--pid", "1x"], "not '1x'"),
    (["--pid", "2147483648"], "not '2147483648'"), (["--pid", "\u{1B}"], "not '\\x1b'"),
    (["--unit", "a.socket"], "--unit takes the name of a service"),
    (["--unit", "../a"], "--unit takes"), (["--unit", "a@"], "--unit takes"),
    (["--unit", ".service"], "--unit takes"), (["--unit", "a b"], "--unit takes"),
    (["--groups", "a,,b"], "--groups takes names or numbers"),
    (["--groups", "+"], "--groups takes"),
    (["--groups", ","], "--groups takes"), (["--groups=+a,-a"], "both adds and removes 'a'"),
    (["--with-cap", "cap_all"], "--with-cap: unknown capability 'cap_all'"),
    (["--with-cap="], "unknown capability ''"),
    (["--without-cap", "64"], "--without-cap: unknown capability '64'"),
    (["--with-cap=chown", "--without-cap=chown"], "in both --with-cap and --without-cap"),
  ])
  func `that are wrong get one line and status 64`(
    arguments: [String], message: String
  ) async {
    for command in [["check", "camera"], ["explain", "camera"], ["status"], ["list"]] {
      let result = await CommandResult.run(command + arguments)
      #expect(result.status == .usage)
      #expect(result.output == "")
      #expect(result.hasOneErrorLine)
      #expect(result.errors.contains(message), "\(result.errors)")
    }
  }

  @Test(arguments: [
    ["list", "--probe", "--user", "bob"], ["explain", "--example", "--user", "bob"],
    ["check", "--from", "x", "--groups=video"], ["decide", "--user", "bob"],
  ])
  func `do not go with everything`(arguments: [String]) async {
    let result = await CommandResult.run(arguments)
    #expect(result.status == .usage)
    #expect(result.hasOneErrorLine)
  }

  @Test(arguments: [
    (["--user", "nobody"], "no user named nobody"),
    (["--pid", "77"], "no process with ID 77"),
    (
      ["--unit", "motion"],
      "no system unit named motion (for a user unit, use --pid with the PID of its main process)"
    ),
    (["--groups=+nosuch"], "no group named nosuch"),
  ])
  func `that do not exist get one line and status 3`(
    arguments: [String], message: String
  ) async throws {
    for command in [["check", "camera"], ["explain", "camera"], ["status"], ["list"]] {
      let result = await CommandResult.run(command + arguments)
      #expect(result.status == .absent)
      #expect(result.errors == "devaccess: \(message)\n")
    }
    let json = await CommandResult.run(["check", "camera", "--json"] + arguments)
    #expect(json.status == .absent)
    #expect(json.output.contains(message))
  }

  @Test func `are named in every text`() async {
    let check = await CommandResult.run(["check", "camera", "--user", "bob"])
    #expect(check.status == .allowed)
    #expect(check.output.contains("for user bob (1000), as after a new login"))
    let explain = await CommandResult.run(["explain", "camera", "--user=bob", "--groups=+video"])
    #expect(
      explain.output.contains(
        "Subject    user bob (1000), as after a new login, assuming group video;"))
    for command in ["status", "list"] {
      let result = await CommandResult.run([command, "--user", "1000"])
      #expect(result.output.hasPrefix("for user bob (1000), as after a new login\n"))
    }
    let own = await CommandResult.run(["check", "camera"])
    #expect(!own.output.contains(" for "))
  }

  @Test func `without an account have no groups`() async {
    let explain = await CommandResult.run(["explain", "camera", "--user", "99999"])
    #expect(explain.status == .refused)
    #expect(explain.output.contains("user 99999, which has no account; no groups"))
    let none = await CommandResult.run(["check", "camera", "--user", "4294967295"])
    #expect(none.status == .absent)
  }

  @Test func `have an access of their own in a list`() async {
    let bob = await CommandResult.run(["list", "--user", "bob"])
    let alice = await CommandResult.run(["list", "--user", "alice"])
    #expect(bob.output.contains("/dev/video0") && bob.output.contains(" rw "))
    #expect(alice.output.contains("/dev/video0") && alice.output.contains(" -- "))
  }

  @Test func `change the answer, as a prediction`() async throws {
    let refused = await CommandResult.run(["check", "camera"])
    #expect(refused.status == .refused)
    for variation in [
      ["--groups=+video"], ["--groups", "44"], ["--with-cap", "cap_dac_override"],
    ] {
      let result = await CommandResult.run(["check", "camera", "--json"] + variation)
      #expect(result.status == .allowed)
      #expect(result.output.contains(#""certainty":"predicted""#))
      #expect(result.output.contains(#""hypothetical":true"#))
    }
    let less = await CommandResult.run(
      ["check", "camera", "--without-cap=dac_override"],
      on: Machines.laptop { $0.run(as: "alice", effective: [.overrideFileAccess]) })
    #expect(less.status == .refused)
  }

  @Test func `come back from a snapshot`() async throws {
    let file = try TemporaryFile()
    let arguments = ["--user", "bob", "--groups=+video"]
    let written = await CommandResult.run(["snapshot", "camera", "-o", file.path] + arguments)
    #expect(written.status == .allowed)
    let now = await CommandResult.run(["explain", "camera"] + arguments)
    let later = await CommandResult.run(["explain", "--from", file.path])
    #expect(now.output == later.output)
  }
}
