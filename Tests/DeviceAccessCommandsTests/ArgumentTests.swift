import AccessModel
import DevicePermissionsTesting
import Testing

@testable import DeviceAccessCommands

@Suite struct `Arguments` {
  @Test(
    arguments: [
      ([], Invocation.Task.status(SubjectWords())),
      (["status"], .status(SubjectWords())),
      (["list"], .list(.camera, probe: false, SubjectWords())),
      (["list", "gpu"], .list(.gpu, probe: false, SubjectWords())),
      (["list", "--probe"], .list(.camera, probe: true, SubjectWords())),
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
      (["completion", "bash"], .completion),
      (["--help"], .help(nil)),
      (["check", "--help", "what", "ever"], .help(.check)),
      (["--version"], .version),
    ] as [([String], Invocation.Task?)])
  func `are understood`(arguments: [String], task: Invocation.Task?) {
    let invocation = try? Invocation(arguments)
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
    (["stauts"], "unknown command 'stauts'"),
    (["check"], "say which kind or path to check"),
    (["snapshot"], "say which kind or path to snapshot"),
    (["check", "webcam"], "unknown kind 'webcam': use camera, microphone"),
    (["check", ""], "unknown kind ''"),
    (["list", "album"], "album is not a device"),
    (["list", "/dev"], "unknown kind '/dev': use camera, microphone, gpu"),
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
    (["check", "/d", "--create", "--list"], "--list and --create exclude each other"),
    (["check", "/d", "--create", "-w"], "--create and --write exclude each other"),
    (["check", "--from=a", "--probe"], "--probe is for this machine"),
    (["explain", "camera", "--container=lxc"], "--container takes docker, podman,"),
    (["status", "--read"], "'status' has no option '--read'"),
    (["explain", "--example", "camera"], "unexpected argument 'camera'"),
    (["explain", "--from=x", "--example"], "exclude each other"),
    (["explain", "--example", "--read"], "--example takes no --read"),
    (["check", "camera", "--color=pink"], "--color takes auto, always or never, not 'pink'"),
    (["check", "--", "--read"], "unknown kind '--read'"),
    (["completion"], "bash is the only one"),
    (["completion", "fish"], "bash is the only one"),
    (["check", "a\u{1B}[2Jb"], "unknown kind 'a\\x1b[2Jb'"),
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
    }
  }
}
