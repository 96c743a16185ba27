import AccessModel
import DevicePermissionsTesting
import Testing

@testable import DeviceAccessCommands

@Suite struct `Arguments` {
  @Test(
    arguments: [
      ([], StatusCommand()),
      (["status"], StatusCommand()),
      (["list"], ListCommand()),
      (["help"], HelpCommand(subject: nil)),
      (["help", "check"], HelpCommand(subject: .check)),
      (["help", "help"], HelpCommand(subject: .help)),
      (["help", "webcam"], nil),
      (["help", "group_Not_member"], HelpCommand(subject: nil, cause: .groupNotMember)),
      (["status", "serial"], StatusCommand(kinds: [.serial])),
      (["status", "/dev/video0"], nil),
      (
        ["check", "camera", "/x"],
        CheckCommand(source: .machine(Question(.kind(.camera))), further: [Question(.path("/x"))])
      ),
      (["check", "camera", "microphone", "--wait"], nil),
      (
        ["check", "camera", "/x", "--from=a"],
        CheckCommand(source: .file("a", wanted: nil, about: [.kind(.camera), .path("/x")]))
      ),
      (["explain", "here", "--from=a"], nil),
      (["check", "."], CheckCommand(source: .machine(Question(.path("."))))),
      (["check", ".."], CheckCommand(source: .machine(Question(.path(".."))))),
      (["check", "here"], CheckCommand(source: .machine(Question(.path("here"))))),
      (["check", "./camera"], CheckCommand(source: .machine(Question(.path("./camera"))))),
      (
        ["check", "new", "--create"],
        CheckCommand(source: .machine(Question(.path("new"), purpose: .create)))
      ),
      (
        ["check", "/x", "--execute"],
        CheckCommand(source: .machine(Question(.path("/x"), wanted: .execute)))
      ),
      (
        ["check", "/x", "-ra"],
        CheckCommand(
          source: .machine(Question(.path("/x"), wanted: [.read, .write], purpose: .append)))
      ),
      (["check", "/x", "--append", "--execute"], nil),
      (["check", "/x", "--append", "--create"], nil),
      (["check", "camera", "--append"], nil),
      (["check", "album", "--execute"], nil),
      (["list", "gpu"], ListCommand(kind: .gpu)),
      (["list", "--probe"], ListCommand(probing: .cautious)),
      (["check", "camera"], CheckCommand(source: .machine(Question(.kind(.camera))))),
      (
        ["check", "-q", "./x"],
        CheckCommand(source: .machine(Question(.path("./x"))), isQuiet: true)
      ),
      (
        ["check", "--read", "/dev/video0"],
        CheckCommand(source: .machine(Question(.path("/dev/video0"), wanted: .read)))
      ),
      (
        ["check", "camera", "-rw"],
        CheckCommand(source: .machine(Question(.kind(.camera), wanted: [.read, .write])))
      ),
      (
        ["check", "album", "--write"],
        CheckCommand(source: .machine(Question(.kind(.album), wanted: [.write, .search])))
      ),
      (
        ["check", "album", "--create"],
        CheckCommand(source: .machine(Question(.kind(.album), purpose: .create)))
      ),
      (
        ["explain", "--list", "./d"],
        ExplainCommand(source: .machine(Question(.path("./d"), purpose: .list)))
      ),
      (
        ["snapshot", "/d", "--search"],
        SnapshotCommand(questions: [Question(.path("/d"), wanted: .search, purpose: .search)])
      ),
      (
        ["check", "--from=a", "--create"],
        CheckCommand(source: .file("a", wanted: nil, purpose: .create))
      ),
      (["check", "camera", "--create"], nil),
      (["check", "/d", "--create", "--list"], nil),
      (["check", "/d", "--create", "-r"], nil),
      (["check", "--from=a", "--probe"], nil),
      (["explain", "--example", "--list"], nil),
      (["check", "camera", "--container=docker"], nil),
      (["explain", "camera", "--container=lxc"], nil),
      (["check", "--from", "a"], CheckCommand(source: .file("a", wanted: nil))),
      (["check", "--from=a", "-r"], CheckCommand(source: .file("a", wanted: .read))),
      (["explain", "--from", "-"], ExplainCommand(source: .file("-", wanted: nil))),
      (["explain", "--example"], ExplainCommand(source: .example)),
      (["explain", "--", "--/x"], ExplainCommand(source: .machine(Question(.path("--/x"))))),
      (["explain", "camera", "--ex"], nil),
      (["snapshot", "camera"], SnapshotCommand(questions: [Question(.kind(.camera))])),
      (
        ["snapshot", "-o", "f", "camera"],
        SnapshotCommand(questions: [Question(.kind(.camera))], output: "f")
      ),
      (["decide"], DecideCommand(input: "-")),
      (["decide", "-f", "cases"], DecideCommand(input: "cases")),
      (["completion", "bash"], CompletionCommand(shell: .bash)),
      (["completion", "fish"], CompletionCommand(shell: .fish)),
      (["--help"], HelpCommand(subject: nil)),
      (["check", "--help", "what", "ever"], HelpCommand(subject: .check)),
    ] as [([String], (any Command)?)])
  func `are understood`(arguments: [String], command: (any Command)?) {
    let understood = try? Invocation(arguments, fileExists: { ["here", "camera"].contains($0) })
      .command
    switch (understood, command) {
    case (let understood?, let command?):
      #expect(understood.isEqual(to: command), "\(understood)")
    default: #expect(understood == nil && command == nil)
    }
  }

  @Test func `may ask for the version alone`() throws {
    guard case .showVersion = try Invocation(["--version"]).action else {
      Issue.record("--version runs a command")
      return
    }
  }

  @Test(arguments: ContainerEngine.allCases)
  func `an engine is named`(engine: ContainerEngine) throws {
    let command = try Invocation(["explain", "camera", "--container", engine.rawValue]).command
    #expect((command as? ExplainCommand)?.engine == engine)
    let plain = try Invocation(["explain", "camera"]).command as? ExplainCommand
    #expect(plain != nil && plain?.engine == nil)
  }

  @Test func `only a request opens the device in question`() throws {
    for command in ["check", "explain", "snapshot", "list"] {
      #expect(try probing([command, "camera", "--probe"]) == .cautious)
      #expect(try probing([command, "camera", "--probe", "--force"]) == .forced)
      #expect(try probing([command, "camera"]) == Probing.none)
    }
  }

  private func probing(_ arguments: [String]) throws -> Probing? {
    switch try Invocation(arguments).command {
    case let command as CheckCommand: command.probing
    case let command as ExplainCommand: command.probing
    case let command as SnapshotCommand: command.probing
    case let command as ListCommand: command.probing
    default: nil
    }
  }

  @Test func `long options may be shortened while they stay unique`() throws {
    #expect(try Invocation(["status", "--js"]).json)
  }

  @Test func `the last of two values counts`() throws {
    #expect(try Invocation(["--color=always", "status", "--color", "never"]).color == .never)
  }

  @Test(arguments: [
    (["stauts"], "unknown command 'stauts'; did you mean 'status'? See 'devaccess --help'"),
    (["frobnicate"], "unknown command 'frobnicate'; the commands are status, list"),
    (["camera"], "unknown command 'camera'; did you mean 'devaccess check camera'?"),
    (["/dev/video0"], "did you mean 'devaccess check /dev/video0'?"),
    (["help", "chekc"], "unknown command or cause 'chekc'; did you mean 'check'?"),
    (["help", "check", "list"], "unexpected argument 'list'"),
    (["check", "camrea"], "did you mean 'camera'? See 'devaccess check --help'"),
    (["list", "seriel"], "unknown kind 'seriel'; did you mean 'serial'?"),
    (["check", "camera", "--wait", "5"], "use --wait=5: the number must directly follow '='"),
    (["check", "--wait", "2.5", "camera"], "use --wait=2.5"),
    (["check", "camera", "--qiuet"], "unknown option '--qiuet'; did you mean '--quiet'?"),
    (
      ["check", "camera", "--re=1"],
      "unknown option '--re=1'; did you mean '--read'? See 'devaccess check"
    ),
    (
      ["check", "camera", "--w=1"],
      "option '--w=1' is ambiguous: it could be --write, --with-cap, --without-cap or --wait"
    ),
    (["check", "camera", "--usr", "a"], "unknown option '--usr'; did you mean '--user'?"),
    (
      ["check", "camera", "--user"],
      "option '--user' needs a value (NAME|UID); see 'devaccess check --help'"
    ),
    (["check", "camera", "--output"], "'check' has no option '--output'"),
    (
      ["check", "camera", "--user", "a", "-u", "b"],
      "--user can be given only once; run the command once for each user"
    ),
    (
      ["help", "GROUP_NOT_MEMBR"],
      "unknown command or cause 'GROUP_NOT_MEMBR'; did you mean 'GROUP_NOT_MEMBER'?"
    ),
    (["GROUP_NOT_MEMBER"], "did you mean 'devaccess help GROUP_NOT_MEMBER'?"),
    (
      ["revoke", "77"],
      "'77' is not a grant ID, a kind or an existing path; 'devaccess grants' lists the IDs"
    ),
    (
      ["grant", "camera", "alice"],
      "unexpected argument 'alice'; to give access to user alice, use '--user alice'"
    ),
    (["grant", "alice", "camera"], "unexpected argument 'alice'; to give access to user"),
    (
      ["rules", "camera", "--rule", "99-a.rules:abc"],
      "--rule takes FILE or FILE:LINE; 'abc' is not a line number"
    ),
    (["rules", "camera", "--rule", "/etc/passwd:abc"], "'abc' is not a line number"),
    (["rules", "camera", "--rule", "99-a.rules:0"], "'0' is not a line number"),
    (["check", "camera", "gpu", "--wait"], "--wait is for one kind or path"),
    (["status", "camrea"], "unknown kind 'camrea'; did you mean 'camera'?"),
    (["check", "camera", "--append"], "--append is for files, and camera is a device"),
    (["check", "album", "--execute"], "--execute is for files, and album is a directory"),
    (["check", "/x", "--append", "--search"], "--append and --search cannot be used together"),
    (["check"], "specify a kind or path, for example: 'devaccess check camera'"),
    (["snapshot"], "specify a kind or path, for example: 'devaccess snapshot camera'"),
    (["rules"], "specify a kind or path, for example: 'devaccess rules camera'"),
    (["check", "webcam"], "'webcam' is neither a kind nor an existing path; the kinds are"),
    (["check", ""], "empty argument; specify a kind or path, such as 'camera'"),
    (["list", "album"], "album is a directory, not a device"),
    (
      ["list", "/dev/video0"],
      "'list' takes a kind, such as camera, not a path; try 'devaccess check /dev/video0'"
    ),
    (["decide", "x"], "unexpected argument 'x'; to read a file, use '--from x'"),
    (["grant", "camera", "-x"], "'grant' has no option '-x' (--execute)"),
    (["check", "camera", "--timeout=1"], "--wait=SECONDS limits the wait"),
    (["request", "nosuch"], "the kinds are camera, microphone and album; see"),
    (["check", "camera", "--frob"], "unknown option '--frob'"),
    (["check", "camera", "-z"], "unknown option '-z'"),
    (["check", "camera", "--quiet=yes"], "option '--quiet' takes no value"),
    (["explain", "--from"], "option '--from' needs a value (FILE)"),
    (["explain", "-f"], "option '-f' (--from) needs a value (FILE)"),
    (["decide", "--probe"], "'decide' has no option '--probe'"),
    (["check", "camera", "--create"], "--create is for directories and files, and camera"),
    (["check", "/d", "--create", "--list"], "--list and --create cannot be used together"),
    (["check", "/d", "--create", "-w"], "--create and --write cannot be used together"),
    (["check", "--from=a", "--probe"], "--probe opens devices of this machine"),
    (["explain", "camera", "--container=lxc"], "--container takes docker, podman,"),
    (["status", "--read"], "'status' has no option '--read'"),
    (["explain", "--example", "camera"], "unexpected argument 'camera'"),
    (["explain", "--from=x", "--example"], "cannot be used together"),
    (["explain", "--example", "--read"], "--example takes no --read"),
    (["check", "camera", "--color=pink"], "--color takes auto, always or never, not 'pink'"),
    (["check", "--", "--read"], "'--read' is neither a kind"),
    (["completion"], "specify a shell: bash, zsh or fish"),
    (["completion", "tcsh"], "no completions for 'tcsh'; supported shells: bash, zsh, fish"),
    (["check", "a\u{1B}[2Jb"], "'a\\x1b[2Jb' is neither a kind"),
    (["check\u{0}er"], "an argument contains a NUL byte"),
    (["check", "/" + String(repeating: "x", count: 4096)], "the path is 4097 bytes long"),
  ])
  func `that are wrong get one line and status 64`(
    arguments: [String], message: String
  ) async {
    let result = await CommandResult.run(arguments)
    #expect(result.status == .usage)
    #expect(result.output == "")
    #expect(result.hasOneErrorLine)
    #expect(result.errors.utf8.count < 400)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test func `every error names a help that exists`() async {
    for command in CommandName.declarations {
      let help = await CommandResult.run([command.name.rawValue, "--help"])
      #expect(help.status == .allowed)
      #expect(help.output.hasPrefix("Usage: devaccess \(command.name.rawValue)"))
      for option in command.options { #expect(help.output.contains("--\(option.rawValue)")) }
      let named = await CommandResult.run(["help", command.name.rawValue])
      #expect(named.output == help.output && named.status == .allowed)
    }
  }
}
