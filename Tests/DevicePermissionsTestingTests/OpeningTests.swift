import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LinuxDevices
import Testing

/// The results of opening that decisions do not cover.
@Suite struct `Opening in memory` {
  private let machine = InMemoryMachine {
    $0.addUser("alice", id: 1000, groups: ["video", "audio"])
    $0.addCamera()
    $0.addMicrophone()
    $0.addFile("/dev/file", owner: "alice")
    $0.run(as: "alice")
  }

  private func errno(_ path: String) async -> Errno? {
    do {
      _ = try await machine.open(path, for: [.read, .write])
      return nil
    } catch {
      return error.errno
    }
  }

  @Test(arguments: [Errno.busy, .noSuchDevice, .permissionDenied])
  func `fails as the driver does, and works again`(_ failure: Errno) async {
    machine.change { $0.failOpening("/dev/video0", errno: failure) }
    #expect(await errno("/dev/video0") == failure)
    #expect(
      machine.probe("/dev/video0", askedAs: "/dev/video0", for: .read).attempt?.errno == failure)
    #expect(machine.openedPaths == [])
    machine.change { $0.failOpening("/dev/video0", errno: .success) }
    #expect(await errno("/dev/video0") == nil)
    #expect(machine.openedPaths == ["/dev/video0"])
  }

  @Test func `gives no token of a busy camera`() async {
    machine.change { $0.failOpening("/dev/video0", errno: .busy) }
    let answer = await PermissionsService(machine: machine).request(AccessRequest(.camera))
    #expect(answer.token == nil)
    #expect(answer.report.availability == .busy)
  }

  @Test func `is refused behind the model, for what is refused there`() async {
    machine.change { $0.refuseBehindTheModel("/dev/video0", .write) }
    #expect(await errno("/dev/video0") == .notPermitted)
    #expect(throws: Never.self) { try machine.facts(for: Question(.path("/dev/video0"))) }
  }

  @Test func `has the error of the walk`() async {
    #expect(await errno("/dev/nothing") == .noSuchFile)
    machine.change { $0.setMode(0o600, of: "/dev/video0") }
    #expect(await errno("/dev/video0") == .permissionDenied)
  }

  @Test func `finds the one stream of a microphone taken`() async {
    #expect(await errno("/dev/snd/pcmC0D0c") == nil)
    machine.change { $0.hold("/dev/snd/pcmC0D0c", by: "arecord", pid: 7, user: "root") }
    #expect(await errno("/dev/snd/pcmC0D0c") == .busy)
    machine.change { $0.endProcess(7) }
    #expect(await errno("/dev/snd/pcmC0D0c") == nil)
  }

  @Test func `by a link is holding what it leads to`() throws {
    machine.change {
      $0.addLink("/dev/cam", to: "video0")
      $0.hold("/dev/cam", by: "a-program-of-a-long-name", pid: 4, user: "alice")
    }
    let use = try #require(try machine.use(of: [.path("/dev/video0")]).devices.first)
    #expect(use.holders.map(\.process.name) == ["a-program-of-a-"])
    machine.change { $0.release("/dev/video0", by: 4) }
    #expect(try machine.use(of: [.path("/dev/cam")]).devices.first?.isHeld == false)
  }
}
