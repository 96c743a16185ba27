import AccessModel
import DevicePermissionsTesting
import Testing

@testable import DeviceAccessCommands

@Suite struct `Arguments` {
  @Test(
    arguments: [
      ([], Invocation.Task.status(SubjectWords())),
      (["status"], .status(SubjectWords())),
      (["list"], .list(nil, probe: false, SubjectWords())),
      (["help"], .help(nil)),
      (["help", "check"], .help(.check)),
      (["help", "help"], .help(.help)),
      (["help", "webcam"], nil),
      (["check", "."], .check(.machine(Question(.path("."))), nil, quiet: false)),
      (["check", ".."], .check(.machine(Question(.path(".."))), nil, quiet: false)),
      (["check", "here"], .check(.machine(Question(.path("here"))), nil, quiet: false)),
      (["check", "./camera"], .check(.machine(Question(.path("./camera"))), nil, quiet: false)),
      (
        ["check", "new", "--create"],
        .check(.machine(Question(.path("new"), purpose: .create)), nil, quiet: false)
      ),
      (
        ["check", "/x", "--execute"],
        .check(.machine(Question(.path("/x"), wanted: .execute)), nil, quiet: false)
      ),
      (
        ["check", "/x", "-ra"],
        .check(
          .machine(Question(.path("/x"), wanted: [.read, .write], purpose: .append)), nil,
          quiet: false)
      ),
      (["check", "/x", "--append", "--execute"], nil),
      (["check", "/x", "--append", "--create"], nil),
      (["check", "camera", "--append"], nil),
      (["check", "album", "--execute"], nil),
      (["list", "gpu"], .list(.gpu, probe: false, SubjectWords())),
      (["list", "--probe"], .list(nil, probe: true, SubjectWords())),
      (["check", "camera"], .check(.machine(Question(.kind(.camera))), nil, quiet: false)),
      (["check", "-q", "./x"], .check(.machine(Question(.path("./x"))), nil, quiet: true)),
      (
        ["check", "--read", "/dev/video0"],
        .check(.machine(Question(.path("/dev/video0"), wanted: .read)), nil, quiet: false)
      ),
      (
        ["check", "camera", "-rw"],
        .check(.machine(Question(.kind(.camera), wanted: [.read, .write])), nil, quiet: false)
      ),
      (
        ["check", "album", "--write"],
        .check(.machine(Question(.kind(.album), wanted: [.write, .search])), nil, quiet: false)
      ),
      (
        ["check", "album", "--create"],
        .check(.machine(Question(.kind(.album), purpose: .create)), nil, quiet: false)
      ),
      (
        ["explain", "--list", "./d"],
        .explain(.machine(Question(.path("./d"), purpose: .list)))
      ),
      (
        ["snapshot", "/d", "--search"],
        .snapshot(Question(.path("/d"), wanted: .search), redact: false, output: nil)
      ),
      (
        ["check", "--from=a", "--create"],
        .check(.file("a", wanted: nil, purpose: .create), nil, quiet: false)
      ),
      (["check", "camera", "--create"], nil),
      (["check", "/d", "--create", "--list"], nil),
      (["check", "/d", "--create", "-r"], nil),
      (["check", "--from=a", "--probe"], nil),
      (["explain", "--example", "--list"], nil),
      (["check", "camera", "--container=docker"], nil),
      (["explain", "camera", "--container=lxc"], nil),
      (["check", "--from", "a"], .check(.file("a", wanted: nil), nil, quiet: false)),
      (["check", "--from=a", "-r"], .check(.file("a", wanted: .read), nil, quiet: false)),
      (["explain", "--from", "-"], .explain(.file("-", wanted: nil))),
      (["explain", "--example"], .explain(.example)),
      (["explain", "--", "--/x"], .explain(.machine(Question(.path("--/x"))))),
      (["explain", "camera", "--ex"], nil),
      (["snapshot", "camera"], .snapshot(Question(.kind(.camera)), redact: false, output: nil)),
      (
        ["snapshot", "-o", "f", "camera"],
        .snapshot(Question(.kind(.camera)), redact: false, output: "f")
      ),
      (["decide"], .decide(input: "-")),
      (["decide", "-f", "cases"], .decide(input: "cases")),
      (["completion", "bash"], .completion(.bash)),
      (["completion", "fish"], .completion(.fish)),
      (["--help"], .help(nil)),
      (["check", "--help", "what", "ever"], .help(.check)),
      (["--version"], .version),
    ] as [([String], Invocation.Task?)])
  func `are understood`(arguments: [String], task: Invocation.Task?) {
    let invocation = try? Invocation(arguments, fileExists: { ["here", "camera"].contains($0) })
    #expect(invocation?.task == task)
  }

  @Test(arguments: ContainerEngine.allCases)
  func `an engine is named`(engine: ContainerEngine) throws {
    let invocation = try Invocation(["explain", "camera", "--container", engine.rawValue])
    #expect(invocation.container == engine)
    #expect(try Invocation(["explain", "camera"]).container == nil)
  }

  @Test func `only a request opens the device in question`() throws {
    #expect(try Invocation(["check", "camera", "--probe"]).probes)
    #expect(try !Invocation(["check", "camera"]).probes)
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
    (["help", "chekc"], "unknown command 'chekc'; did you mean 'check'?"),
    (["help", "check", "list"], "unexpected argument 'list'"),
    (["check", "camrea"], "did you mean 'camera'? See 'devaccess check --help'"),
    (["list", "seriel"], "unknown kind 'seriel'; did you mean 'serial'?"),
    (["check", "camera", "--wait", "5"], "write --wait=5: the number follows '=' directly"),
    (["check", "--wait", "2.5", "camera"], "write --wait=2.5"),
    (["check", "camera", "--qiuet"], "unknown option '--qiuet'; did you mean '--quiet'?"),
    (["check", "camera", "--re=1"], "option '--re=1' is ambiguous: it could be --read, --redact"),
    (["check", "camera", "--append"], "--append is for files, and camera is a device"),
    (["check", "album", "--execute"], "--execute is for files, and album is a directory"),
    (["check", "/x", "--append", "--search"], "--append and --search cannot be used together"),
    (["check"], "say which kind or path to check"),
    (["snapshot"], "say which kind or path to snapshot"),
    (["check", "webcam"], "'webcam' is not a kind, and there is no such file here; the kinds are"),
    (["check", ""], "'' is not a kind"),
    (["list", "album"], "album is a directory, not a device"),
    (["list", "/dev"], "unknown kind '/dev'; the kinds are camera, microphone, gpu"),
    (["check", "camera", "gpu"], "unexpected argument 'gpu'"),
    (["status", "camera"], "unexpected argument 'camera'"),
    (["decide", "x"], "unexpected argument 'x'"),
    (["check", "camera", "--frob"], "unknown option '--frob'"),
    (["check", "camera", "-z"], "unknown option '-z'"),
    (["check", "camera", "--quiet=yes"], "option '--quiet' takes no value"),
    (["explain", "--from"], "option '--from' needs a value (FILE)"),
    (["explain", "-f"], "option '--from' needs a value (FILE)"),
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
    (["check", "--", "--read"], "'--read' is not a kind"),
    (["completion"], "say which shell: bash, zsh or fish"),
    (["completion", "tcsh"], "no completions for 'tcsh'"),
    (["check", "a\u{1B}[2Jb"], "'a\\x1b[2Jb' is not a kind"),
    (["check\u{0}er"], "an argument holds a NUL byte"),
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
    for command in Command.allCases {
      let help = await CommandResult.run([command.rawValue, "--help"])
      #expect(help.status == .allowed)
      #expect(help.output.hasPrefix("Usage: devaccess \(command.rawValue)"))
      for option in command.options { #expect(help.output.contains("--\(option.rawValue)")) }
      let named = await CommandResult.run(["help", command.rawValue])
      #expect(named.output == help.output && named.status == .allowed)
    }
  }
}
