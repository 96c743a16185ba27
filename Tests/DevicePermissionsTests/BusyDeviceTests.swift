import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LinuxDevices
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A request where programs use devices` {
  /// The methods of opening a device: directly, and with a capability.
  private static let methods: [AccessMethod] = [.authorized, .capability]

  private func machine(
    _ method: AccessMethod, cameras: Int = 2, _ describe: (inout MachineDescription) -> Void
  ) -> InMemoryMachine {
    InMemoryMachine {
      $0.addUser("alice", id: 1000, groups: method == .authorized ? ["video"] : [])
      for number in 0..<cameras { $0.addCamera(number, name: "Camera \(number)") }
      $0.run(as: "alice", permitted: method == .capability ? [.overrideFileAccess] : [])
      describe(&$0)
    }
  }

  @Test(arguments: methods)
  func `is not granted by a device that is busy`(method: AccessMethod) async {
    let machine = machine(method, cameras: 1) { $0.failOpening("/dev/video0", errno: .busy) }
    let service = PermissionsService(machine: machine)
    let answer = await service.request()
    #expect(answer.outcome == .refused)
    #expect(answer.method == nil && answer.token == nil && answer.term == nil)
    #expect(answer.trials.last?.method == method)
    #expect(answer.trials.last?.outcome == .failed)
    #expect(answer.reason == "/dev/video0 is busy: another program uses it (EBUSY).")
    #expect(answer.report.status == .authorized)
    #expect(answer.report.availability == .busy)
    #expect(answer.settings == nil)
    #expect(service.requestStatus().camera == .authorized)
  }

  @Test(arguments: methods)
  func `takes the camera that nobody uses, and opens no other`(method: AccessMethod) async throws {
    let machine = machine(method) {
      $0.hold("/dev/video0", by: "cheese", pid: 4711, user: "alice", DeviceHold(isMapped: true))
    }
    let service = PermissionsService(machine: machine)
    let answer = await service.request()
    #expect(machine.openedPaths == ["/dev/video1"])
    #expect(answer.method == method)
    #expect(answer.report.path == "/dev/video1")
    #expect(answer.explanation?.path == "/dev/video1")
    #expect(service.requestStatus().camera == .authorized)
    for path in ["/dev/video0", "/dev/video1"] {
      #expect(service.report(for: Question(.path(path))).status == .authorized)
    }
    let kind = service.take(try #require(answer.token))?.kind
    #expect(kind == .device(path: "/dev/video1"))
  }

  @Test(arguments: methods)
  func `takes the next camera where one turns out to be busy`(method: AccessMethod) async {
    let machine = machine(method, cameras: 3) {
      $0.failOpening("/dev/video0", errno: .busy)
      $0.failOpening("/dev/video1", errno: .busy)
    }
    let answer = await PermissionsService(machine: machine).request()
    #expect(answer.method == method)
    #expect(answer.trials.last == AccessTrial(method, .granted))
    #expect(machine.openedPaths == ["/dev/video2"])
  }

  @Test(arguments: methods)
  func `ends where all are busy`(method: AccessMethod) async {
    let machine = machine(method) {
      $0.failOpening("/dev/video0", errno: .busy)
      $0.failOpening("/dev/video1", errno: .busy)
    }
    let answer = await PermissionsService(machine: machine).request()
    #expect(answer.outcome == .refused)
    #expect(answer.report.availability == .busy)
  }

  @Test(arguments: methods)
  func `opens only the camera that is named`(method: AccessMethod) async {
    let machine = machine(method) { $0.failOpening("/dev/video0", errno: .busy) }
    let service = PermissionsService(machine: machine)
    for target in [AccessRequest.Target.cameraNamed("Camera 0"), .path("/dev/video0")] {
      #expect(await service.request(AccessRequest(target)).outcome == .refused)
    }
    #expect(machine.openedPaths.isEmpty)
  }
}
