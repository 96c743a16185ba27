import AccessModel
import DeviceWatching
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

private let hasPrograms = ["pipewire", "pw-cli", "pw-link"].allSatisfy {
  unsafe access("/usr/bin/\($0)", X_OK) == 0
}

/// Real daemons, with nodes created by pw-cli and links created by pw-link.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: hasPrograms, "pipewire, pw-cli or pw-link is not installed"))
final class `A real PipeWire daemon` {
  /// The folder of the daemon's socket, which is removed with this object.
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory(in: "/tmp") }

  /// Starts a daemon, which ends when this test closes its input or exits.
  private func daemon(holding node: String = "/dev/null") async throws -> ChildProcess {
    try await ChildProcess(
      """
      exec 3<&0; rm -f \(directory.path)/pipewire-0
      XDG_RUNTIME_DIR=\(directory.path) pipewire </dev/null >/dev/null 2>&1 9<\(node) & number=$!
      (cat <&3 >/dev/null; kill -9 $number) & exec cat <&3 >/dev/null
      """)
  }

  private func command(_ text: String) async throws -> ChildProcess {
    try await ChildProcess(
      """
      exec 3<&0; export XDG_RUNTIME_DIR=\(directory.path)
      until pw-cli info 0 >/dev/null 2>&1; do sleep 0.05; done
      \(text)
      exec cat <&3 >/dev/null
      """)
  }

  /// Creates a node, which exists as long as the child.
  private func node(_ name: String, _ more: String) async throws -> ChildProcess {
    let properties =
      "factory.name=support.null-audio-sink media.class=Audio/Sink node.name=\(name) "
      + "audio.position=[MONO] \(more)"
    return try await command(
      """
      (echo 'create-node adapter { \(properties) }'; cat <&3) | pw-cli >/dev/null 2>&1 & number=$!
      (cat <&3 >/dev/null; kill -9 $number) &
      """)
  }

  private func player() async throws -> ChildProcess {
    try await node("player", "adapter.auto-port-config={mode=dsp monitor=true}")
  }

  /// Links the player with a device, or removes the link.
  private func link(_ device: String, _ option: String = "") async throws {
    try await link("player", device, option)
  }

  private func link(_ output: String, _ device: String, _ option: String) async throws {
    // The command fails until both nodes have their ports.
    let child = try await command(
      "until pw-link \(option) \(output):monitor_MONO \(device):playback_MONO; do sleep 0.1; done "
        + "2>/dev/null")
    try await child.becomes("cat")
    child.reap()
  }

  @Test func `names the program that plays through it`() async throws {
    let daemon = try await daemon()
    defer { daemon.reap() }
    let speaker = try await node(
      "speaker", "alsa.card=7 alsa.device=3 adapter.auto-port-config={mode=dsp}")
    defer { speaker.reap() }
    let player = try await player()
    defer { player.reap() }
    try await link("speaker")
    let device = PipeWireScript.device("/dev/snd/pcmC7D3p", "sound", "pcmC7D3p")
    var clients: [MediaClient] = []
    while clients.first?.isStreaming != true {
      let graph = try PipeWireDaemon("\(directory.path)/pipewire-0").answered().graph
      clients = graph.use(of: device)?.users.map(\.client) ?? []
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(clients.map(\.name) == ["pw-cli"])
    let number = try #require(clients.first?.processID)
    #expect(try BoundedFile.line("/proc/\(number)/comm") == "pw-cli")
  }

  @Test func `names the program that records from a filter`() async throws {
    let daemon = try await daemon()
    defer { daemon.reap() }
    let ports = "adapter.auto-port-config={mode=dsp monitor=true}"
    let camera = try await node("camera", "object.path=\"v4l2:/dev/video0\" \(ports)")
    defer { camera.reap() }
    let filter = try await node("filter", ports)
    defer { filter.reap() }
    let recorder = try await node("recorder", ports)
    defer { recorder.reap() }
    try await link("camera", "filter", "")
    try await link("filter", "recorder", "")
    var users: [PipeWireUse.User] = []
    while users.count < 2 || !users.allSatisfy(\.client.isStreaming) {
      let graph = try PipeWireDaemon("\(directory.path)/pipewire-0").answered().graph
      users = graph.use(of: PipeWireScript.camera)?.users ?? []
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(users.count { $0.part == .passesOn } == 1)
    #expect(Set(users.map(\.client.processID)).count == 2)
  }

  /// Uses a node that every user may open, and that sysfs presents as a camera here.
  @Test func `tells who opens and leaves a device through it, without a poll`() async throws {
    try directory.file("sys/devices/camera/uevent", "MAJOR=1\nMINOR=8\nDEVNAME=random\n")
    try directory.link("sys/devices/camera/subsystem", to: "../../class/video4linux")
    try directory.directory("sys/dev/char")
    try directory.link("sys/dev/char/1:8", to: "../../devices/camera")
    var roots = MachineRoots()
    roots.sysfs = "\(directory.path)/sys"
    let folder = directory.path
    let machine = LinuxMachine(
      roots: roots, environment: { $0 == "XDG_RUNTIME_DIR" ? folder : nil })
    let watch = try machine.watchUse(of: [.path("/dev/random")])
    var scan = try watch.scan(pollingEvery: .seconds(3600))

    /// Scans after each signal until the daemon that holds the camera serves the given programs.
    func wait(_ names: [String]?) async throws {
      while true {
        let holder = scan.facts.devices.flatMap(\.holders).first { $0.process.name == "pipewire" }
        let clients = holder.map { $0.clients?.map(\.name) ?? ["nobody knows"] }
        // There is no gap that requires polling.
        if clients == names, scan.gaps == [] { return }
        for await _ in watch.signals { break }
        scan = try watch.scan(pollingEvery: .seconds(3600))
      }
    }

    for _ in 0..<2 {
      let daemon = try await daemon(holding: "/dev/random")
      defer { daemon.reap() }
      let camera = try await node(
        "camera", "object.path=\"v4l2:/dev/random\" adapter.auto-port-config={mode=dsp}")
      defer { camera.reap() }
      try await wait([])
      let player = try await player()
      defer { player.reap() }
      try await link("camera")
      try await wait(["pw-cli"])
      try await link("camera", "-d")
      try await wait([])
      try await link("camera")
      try await wait(["pw-cli"])
      // The program exits without a message.
      player.reap()
      try await wait([])
      daemon.reap()
      try await wait(nil)
    }
  }
}
