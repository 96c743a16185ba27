import AccessModel
import DevicePermissionsTesting
import DeviceWatching
import LinuxDevices
import Testing

@testable import DeviceAccessCommands

@Suite struct `Users of devices` {
  /// Returns a machine with two cameras and a microphone that many programs use, as seen by alice.
  static func busyLaptop(
    running user: String = "alice", _ configure: (inout MachineDescription) -> Void = { _ in }
  ) -> InMemoryMachine {
    Machines.laptop(running: user) { machine in
      machine.addCamera(4, name: "Webcam")
      var microphone = DeviceFacts(
        node: "/dev/snd/pcmC0D0c", sysfsPath: "/sys/devices/x/sound/card0/pcmC0D0c",
        subsystem: "sound", kernelName: "pcmC0D0c")
      microphone.number = DeviceNumber(major: 116, minor: 3)
      machine.addDevice(microphone, group: "audio")
      var cheese = HoldingProcess(id: 4711, name: "cheese")
      cheese.user = 1001
      cheese.userName = "alice"
      cheese.executable = "/usr/bin/cheese"
      cheese.unit = "app-gnome-org.gnome.Cheese-4711.scope"
      cheese.application = "org.gnome.Cheese"
      machine.addHolder(DeviceHolder(cheese, DeviceHold(descriptors: 2)), of: "/dev/video0")
      machine.hold(
        "/dev/snd/pcmC0D0c", by: "pipewire", pid: 900, user: "bob",
        DeviceHold(access: .read, activity: .streaming))
      configure(&machine)
    }
  }

  private func run(
    _ arguments: String..., on machine: any Machine = `Users of devices`.busyLaptop()
  ) async -> CommandResult {
    await CommandResult.run(["users"] + arguments, on: machine)
  }

  @Test func `are a line for each device and process`() async {
    let result = await run()
    #expect(
      result.output == """
        DEVICE             PROCESS        PID   USER   UNIT              HOW
        /dev/video0        cheese         4711  alice  org.gnome.Cheese  rw
        /dev/video4        no user found
        /dev/snd/pcmC0D0c  pipewire       900   bob                      r-, streaming, media server

        Through pipewire: the programs that use the device this way are unknown.
        1 process could not be inspected; to see more: sudo devaccess users

        """)
    #expect(result.errors == "")
    #expect(result.status == .undetermined)
  }

  @Test func `are known to root`() async {
    let result = await run("camera", on: Self.busyLaptop(running: "root"))
    #expect(result.output.contains("/dev/video4  not in use\n"))
    #expect(!result.output.contains("could not be inspected"))
    #expect(result.status == .allowed)
  }

  @Test func `that were seen answer, whoever was not`() async {
    let result = await run("/dev/video0")
    #expect(result.status == .allowed)
    #expect(result.output.hasSuffix("to see more: sudo devaccess users /dev/video0\n"))
  }

  @Test func `of a microphone are told by the sound card`() async {
    let held = await run("microphone")
    #expect(held.status == .allowed)
    #expect(held.output.contains("pipewire"))
    let machine = Self.busyLaptop { $0.endProcess(900) }
    let free = await run("microphone", on: machine)
    #expect(
      free.output
        == "DEVICE             PROCESS     PID  USER  UNIT  HOW\n/dev/snd/pcmC0D0c  not in use\n"
    )
    #expect(free.status == .allowed)
  }

  @Test func `are told in full with --verbose`() async {
    let result = await run("/dev/video0", "--verbose")
    #expect(
      result.output.contains(
        """
            /usr/bin/cheese; 2 descriptors; application org.gnome.Cheese; unit
            app-gnome-org.gnome.Cheese-4711.scope

        """), "\(result.output)")
  }

  @Test(arguments: [
    (UnseenProcesses(count: 3, reasons: [.notTraceable]), "3 processes could not", "sudo"),
    (UnseenProcesses(reasons: [.hidden]), "Processes of other users could not", "sudo"),
    (UnseenProcesses(count: 1, reasons: [.refused]), "1 process could not", "CAP_SYS_PTRACE."),
    (UnseenProcesses(count: 1, reasons: [.failed]), "1 process could not", "reading failed."),
    (UnseenProcesses(reasons: [.outside]), "outside this PID namespace", "run devaccess"),
  ])
  func `who are not seen are told, with what would show them`(
    unseen: UnseenProcesses, what: String, how: String
  ) async {
    let machine = Machines.laptop { $0.unseenProcesses = unseen }
    let result = await run("camera", on: machine)
    #expect(result.output.contains("no user found"))
    let text = result.output.replacing("\n ", with: "")
    #expect(text.contains(what) && text.contains(how), "\(text)")
    #expect(result.status == .undetermined)
  }

  @Test func `of a media server are its clients`() async {
    let machine = Self.busyLaptop { machine in
      var server = HoldingProcess(id: 900, name: "pipewire")
      server.user = 1000
      server.userName = "bob"
      var browser = MediaClient(name: "Firefox", processID: 14)
      browser.process = HoldingProcess(id: 14, name: "firefox")
      browser.process?.userName = "alice"
      browser.process?.unit = "app-firefox.scope"
      machine.addHolder(
        DeviceHolder(
          server, DeviceHold(access: .read, activity: .streaming),
          clients: [
            MediaClient(name: "zoom\u{1B}[2J", processID: 12, application: "us.zoom.Zoom"),
            MediaClient(name: "idle", isStreaming: false), browser,
          ]), of: "/dev/snd/pcmC0D0c")
    }
    let result = await run("microphone", on: machine)
    #expect(!result.output.contains("it is not known which"))
    #expect(!result.output.contains("\u{1B}"))
    let rows = result.output.split(separator: "\n").map { row in
      row.split(separator: " ").joined(separator: " ")
    }
    #expect(
      rows.contains { $0.hasSuffix("12 us.zoom.Zoom through pipewire, streaming") },
      "\(result.output)")
    #expect(rows.contains("/dev/snd/pcmC0D0c idle through pipewire, not streaming"))
    #expect(
      rows.contains(
        "/dev/snd/pcmC0D0c Firefox 14 alice app-firefox.scope through pipewire, streaming"))
  }

  @Test func `whose process cannot be found are told`() async {
    let facts = UseFacts(devices: [DeviceUse(node: "/dev/x", unnamedHolders: 1)])
    let answer = UsersAnswer(facts: facts, targets: [.path("/dev/x")])
    #expect(answer.status == .allowed)
    #expect(
      UsersText(answer: answer, style: .plain).text.contains(
        "/dev/x  a process that cannot be identified\n"))
  }

  @Test func `since when is told where it is known`() async {
    var process = HoldingProcess(id: 7, name: "x")
    process.started = 1000
    let hold = DeviceHold(
      descriptors: 0, access: nil, isMapped: true, activity: .streaming, streamingSince: 4000)
    let facts = UseFacts(
      devices: [DeviceUse(node: "/dev/x", holders: [DeviceHolder(process, hold)])],
      observedAt: 4090)
    var users = UsersText(
      answer: UsersAnswer(facts: facts, targets: []), isVerbose: true, style: .plain)
    let text = users.text
    #expect(text.contains("mapped, streaming for 90 s\n"), "\(text)")
    #expect(text.contains("    program not visible; started 51 min ago\n"), "\(text)")
    users.isLasting = true
    let lasting = users.text
    let times = [4000, 1000].map { Timestamp(seconds: $0).localText() }
    #expect(times.allSatisfy { $0.hasPrefix("19") && $0.count == 19 })
    #expect(lasting.contains("mapped, streaming since \(times[0])\n"), "\(lasting)")
    #expect(lasting.contains("runs since \(times[1])\n"), "\(lasting)")
  }

  @Test(arguments: [
    (119, "119 s"), (120, "2 min"), (7199, "119 min"), (7200, "2 h"), (172_800, "2 days"),
  ])
  func `an age is one number`(seconds: Int64, text: String) {
    #expect(Elapsed(since: 5, at: 5 + seconds)?.description == text)
    #expect(Elapsed(since: 5 + seconds, at: 5) == nil)
    #expect(Elapsed(since: .min, at: .max) == nil)
  }

  @Test func `of a virtual camera feed it or view it`() async {
    let machine = Machines.laptop(running: "root") { machine in
      var camera = DeviceFacts(
        node: "/dev/video9", sysfsPath: "/sys/devices/virtual/video4linux/video9",
        subsystem: "video4linux", kernelName: "video9")
      camera.number = DeviceNumber(major: 81, minor: 9)
      camera.driver = "v4l2 loopback"
      machine.addDevice(camera)
      machine.hold("/dev/video9", by: "obs", pid: 1, user: "bob", DeviceHold(access: .write))
      machine.hold("/dev/video9", by: "vlc", pid: 2, user: "bob", DeviceHold(access: .read))
    }
    let result = await run("/dev/video9", on: machine)
    #expect(result.output.contains("-w, feeds it\n") && result.output.contains("r-, views it\n"))
  }

  @Test func `names do not reach the terminal as they are`() async {
    let machine = Machines.laptop(running: "root") {
      $0.hold("/dev/video0", by: "a\u{1B}[2Jb\u{202E}", pid: 1, user: "bob")
    }
    let result = await run("camera", on: machine)
    #expect(!result.output.contains("\u{1B}") && !result.output.contains("\u{202E}"))
  }

  @Test(arguments: [
    (["/dev/nothing"], 3, "no such file or directory"),
    (["/home"], 3, "not a device"), (["album"], 64, "album is a directory"),
    (["camra"], 64, "did you mean 'camera'"), (["--probe"], 64, "no option '--probe'"),
    (["--user", "bob"], 64, "no option '--user'"), ([""], 64, "empty argument"),
  ])
  func `of what is no device are an error`(
    arguments: [String], status: Int32, reason: String
  ) async {
    let result = await CommandResult.run(["users"] + arguments, on: Self.busyLaptop())
    #expect(result.status.rawValue == status)
    #expect(result.output == "")
    #expect(result.hasOneErrorLine && result.errors.contains(reason), "\(result.errors)")
  }

  @Test func `of several devices are told, whichever of them is none`() async {
    let machine = Self.busyLaptop(running: "root")
    let result = await run("/dev/nope", "/dev/video4", "/home", on: machine)
    #expect(
      result.output == "DEVICE       PROCESS     PID  USER  UNIT  HOW\n/dev/video4  not in use\n")
    #expect(
      result.errors == """
        devaccess: cannot find the users of /dev/nope: no such file or directory
        devaccess: cannot find the users of /home: not a device

        """)
    #expect(result.status == .absent)
    let json = await run("/dev/video4", "/dev/nope", "--json", on: machine)
    #expect(json.output.contains("\"exit_status\":3,\"devices\":[{\"node\":\"/dev/video4\""))
    #expect(
      json.output.hasSuffix(
        """
        "errors":[{"path":"/dev/nope","error":"cannot find the users of /dev/nope: no such file \
        or directory","exit_status":3}]}

        """), "\(json.output)")
    #expect(json.hasOneErrorLine && json.status == .absent)
    let none = await run("/dev/nope", "/home", on: machine)
    #expect(none.output == "" && none.status == .absent)
  }

  @Test func `of a kind without devices are absent`() async {
    let one = await run("gpu")
    #expect(one.output == "no gpu devices\n")
    #expect(one.status == .absent)
    let two = await run("camera", "gpu", on: Self.busyLaptop(running: "root"))
    #expect(
      two.output.contains("/dev/video4  not in use\n") && two.output.contains("no gpu devices\n"))
    #expect(two.status == .absent)
    let all = await run(on: Machines.laptop(running: "root"))
    #expect(all.output.contains("no microphone devices\n"))
    #expect(all.status == .allowed)
    #expect(await run(on: InMemoryMachine()).status == .absent)
  }

  @Test func `are an error where the machine cannot tell`() async {
    let machine = BrokenMachine(error: DeviceError(.unavailable, operation: "list processes"))
    let result = await run("camera", on: machine)
    #expect(result.status == .undetermined)
    #expect(result.hasOneErrorLine)
  }

  @Test func `are JSON for programs`() async {
    let result = await run("camera", "--json")
    #expect(
      result.output == """
        {"schema":"devaccess/1","command":"users","exit_status":2,"devices":[\
        {"node":"/dev/video0","kind":"camera","name":"Integrated Camera","number":[81,0],\
        "use":"used","occupation":"held","holders":[{"pid":4711,"name":"cheese","uid":1001,"user":"alice",\
        "executable":"/usr/bin/cheese","unit":"app-gnome-org.gnome.Cheese-4711.scope",\
        "application":"org.gnome.Cheese","media_server":false,"descriptors":2,\
        "access":["read","write"],"mapped":false}],"unnamed_holders":0,"told_by_driver":false},\
        {"node":"/dev/video4","kind":"camera","name":"Webcam","number":[81,4],"use":"unknown",\
        "occupation":"unknown","holders":[],"unnamed_holders":0,"told_by_driver":false}],\
        "unseen":{"count":1,"at_least":false,"reasons":["not_traceable"]},"absent_kinds":[]}

        """)
  }
}
