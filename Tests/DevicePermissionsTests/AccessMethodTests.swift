import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import Glibc
import LinuxDevices
import LinuxTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A request for access` {
  /// A machine where alice may use the camera by the given methods.
  private func machine(
    groups: [String] = [], permitted: CapabilitySet = [], portal: InMemoryPortal? = nil
  ) -> InMemoryMachine {
    InMemoryMachine(portal: portal) {
      $0.addUser("alice", id: 1000, groups: groups)
      $0.addCamera()
      $0.run(as: "alice", permitted: permitted)
    }
  }

  /// Takes the access that a request obtained.
  private func taken(
    _ service: PermissionsService, _ answer: AccessAnswer
  ) throws -> DeviceAccess {
    let token = try #require(answer.token)
    guard let access = service.take(token) else {
      throw DeviceError(.unavailable, operation: "take the descriptor")
    }
    return access
  }

  @Test(arguments: [[], [.creation], [.portal], [.capability], [.broker]] as [Set<AccessMethod>])
  func `says why the methods that it names do not lead to a device that may be opened`(
    methods: Set<AccessMethod>
  ) async {
    let service = PermissionsService(machine: machine(groups: ["video"]))
    let answer = await service.request(AccessRequest(methods: methods))
    #expect(answer.token == nil)
    #expect(answer.outcome == .refused)
    #expect(answer.reason?.isEmpty == false)
  }

  @Test func `asks nobody where the device may be opened as it is`() async throws {
    let portal = InMemoryPortal()
    let machine = machine(groups: ["video"], portal: portal)
    let service = PermissionsService(machine: machine)
    let answer = await service.request()
    #expect(answer.method == .authorized)
    #expect(answer.term == .whileOpen)
    #expect(answer.trials == [AccessTrial(.authorized, .granted)])
    #expect(answer.report.status == .authorized)
    #expect(answer.settings == nil)
    #expect(portal.dialogCount == 0)
    let access = try taken(service, answer)
    let (kind, method) = (access.kind, access.method)
    #expect(kind == .device(path: "/dev/video0"))
    #expect(method == .authorized)
  }

  @Test func `goes by the portal before it raises a capability`() async throws {
    let portal = InMemoryPortal()
    let machine = machine(permitted: [.overrideFileAccess], portal: portal)
    let service = PermissionsService(machine: machine)
    let tried = Mutex<[AccessMethod]>([])
    let answer = await service.request { method in tried.withLock { $0.append(method) } }
    #expect(answer.method == .portal)
    #expect(answer.term == .untilRevoked)
    #expect(answer.trials.map(\.outcome) == [.unavailable, .granted])
    #expect(tried.withLock { $0 } == [.portal])
    #expect(machine.openedPaths.isEmpty)
    let kind = service.take(try #require(answer.token))?.kind
    #expect(kind == .pipeWire)
  }

  @Test func `raises a capability where the portal does not give the camera`() async throws {
    let portal = InMemoryPortal(person: .refused)
    let machine = machine(permitted: [.overrideFileAccess], portal: portal)
    let answer = await PermissionsService(machine: machine).request()
    #expect(answer.method == .capability)
    #expect(answer.trials.map(\.outcome) == [.unavailable, .refused, .granted])
    #expect(machine.openedPaths == ["/dev/video0"])
  }

  @Test(arguments: [
    (PortalOutcome.refused, AccessTrial.Outcome.refused, PermissionStatus.denied),
    (.interrupted, .refused, .denied), (.forbidden, .forbidden, .restricted),
    (.withheld, .refused, .denied), (.absent("gone"), .unavailable, .denied),
    (.timedOut, .timedOut, .denied), (.cancelled, .cancelled, .denied),
    (.failed("it broke"), .failed, .denied),
  ])
  func `that comes to nothing says what was tried, and why`(
    person: PortalOutcome, outcome: AccessTrial.Outcome, status: PermissionStatus
  ) async {
    let machine = machine(portal: InMemoryPortal(person: person))
    let answer = await PermissionsService(machine: machine).request()
    #expect(answer.method == nil)
    #expect(answer.token == nil)
    #expect(answer.term == nil)
    // A device cannot be created.
    #expect(answer.trials.map(\.method) == AccessMethod.allCases.filter { $0 != .creation })
    #expect(answer.trials.map(\.outcome) == [.unavailable, outcome, .unavailable, .unavailable])
    #expect(answer.report.status == status)
    #expect(answer.report.reason != nil)
    #expect(answer.explanation?.cause != nil)
  }

  @Test func `that is refused by the rules alone names the command that changes them`() async {
    let answer = await PermissionsService(machine: machine()).request()
    #expect(answer.trials.map(\.outcome) == Array(repeating: .unavailable, count: 4))
    #expect(answer.settings?.actor == .administrator)
    #expect(answer.settings?.command.isEmpty == false)
  }

  @Test func `that a stored answer refuses names where it is changed`() async {
    let portal = InMemoryPortal(person: .refused)
    let answer = await PermissionsService(machine: machine(portal: portal)).request()
    #expect(answer.report.cause == .portalStoredNo)
    #expect(answer.settings?.actor == .user)
  }

  @Test(arguments: AccessMethod.allCases)
  func `takes one method where only that is named`(method: AccessMethod) async {
    for (groups, permitted) in [
      (["video"], CapabilitySet()), ([], [.overrideFileAccess]), ([], []),
    ] {
      let machine = machine(groups: groups, permitted: permitted, portal: InMemoryPortal())
      let answer = await PermissionsService(machine: machine)
        .request(AccessRequest(methods: [method]))
      #expect(answer.trials.map(\.method) == [method])
      let leads =
        switch method {
        case .authorized: !groups.isEmpty
        case .creation: false
        case .portal: true
        case .capability: !permitted.isEmpty
        case .broker: false
        }
      #expect((answer.method == method) == leads)
    }
  }

  @Test(arguments: [
    (AccessRequest.Target.cameraNamed("back camera"), "/dev/video2" as String?),
    (.cameraNamed("Side"), nil), (.cameraNamed("Wireless Headset"), nil),
    (.microphoneNamed("wireless headset"), "/dev/snd/pcmC1D0c"), (.microphoneNamed("Side"), nil),
  ])
  func `finds a device of a kind by its name`(target: AccessRequest.Target, path: String?) async {
    let machine = InMemoryMachine {
      $0.addCamera(0, name: "Front")
      $0.addCamera(2, name: "Back Camera")
      $0.addMicrophone(0, name: "PCH")
      $0.addMicrophone(1, name: "Wireless Headset")
    }
    let answer = await PermissionsService(machine: machine).request(AccessRequest(target))
    #expect(answer.report.path == path)
    #expect((answer.report.status == .absent) == (path == nil))
    #expect(answer.trials.isEmpty == (path == nil))
  }

  @Test func `does not send the portal for what is no camera`() async {
    let portal = InMemoryPortal()
    let machine = InMemoryMachine(portal: portal) {
      $0.addUser("alice", id: 1000)
      var port = DeviceFacts(
        node: "/dev/ttyUSB0", sysfsPath: "/sys/devices/usb1/1-2/tty/ttyUSB0", subsystem: "tty",
        kernelName: "ttyUSB0")
      port.number = DeviceNumber(major: 188, minor: 0)
      $0.addDevice(port)
      $0.run(as: "alice")
    }
    let answer = await PermissionsService(machine: machine)
      .request(AccessRequest(.path("/dev/ttyUSB0")))
    #expect(answer.trials.map(\.outcome) == Array(repeating: .unavailable, count: 4))
    #expect(portal.dialogCount == 0)
  }

  @Test func `without any camera asks only a portal that sees one`() async {
    for isPresent in [true, false] {
      let portal = InMemoryPortal(isCameraPresent: isPresent)
      let service = PermissionsService(machine: InMemoryMachine(portal: portal))
      #expect(service.requestStatus().camera == (isPresent ? .notDetermined : .absent))
      #expect(await service.request().method == (isPresent ? .portal : nil))
      #expect(portal.dialogCount == (isPresent ? 1 : 0))
      #expect(service.requestStatus().camera == (isPresent ? .authorized : .absent))
    }
  }

  // MARK: Asked again

  @Test(arguments: [
    (PortalOutcome.granted, PermissionStatus.authorized), (.refused, .denied),
    (.timedOut, .denied), (.failed("it broke"), .denied), (.interrupted, .denied),
  ])
  func `settles the status, so that it is not asked for ever`(
    person: PortalOutcome, status: PermissionStatus
  ) async {
    let service = PermissionsService(machine: machine(portal: InMemoryPortal(person: person)))
    #expect(service.requestStatus().camera == .notDetermined)
    #expect(await service.requestCameraAccess() == status)
    #expect(service.requestStatus().camera == status)
    #expect(await service.requestCameraAccess() == status)
    #expect(service.requestStatus().camera == status)
  }

  @Test func `keeps the status while what it led to is held`() async throws {
    let service = PermissionsService(machine: machine(permitted: [.overrideFileAccess]))
    let answer = await service.request(AccessRequest(.path("/dev/video0")))
    #expect(service.requestStatus().camera == .authorized)
    let access = try taken(service, answer)
    let question = Question(.kind(.camera))
    #expect(service.report(for: question).certainty == .proven)
    access.close()
    // The outcome is remembered for the camera, regardless of how the request named it.
    #expect(service.report(for: question).status == .authorized)
    #expect(service.report(for: question).certainty == .predicted)
  }

  // MARK: Tokens

  @Test func `hands a descriptor over once, and closes it with its owner`() async throws {
    let service = PermissionsService(machine: machine(groups: ["video"]))
    let answer = await service.request()
    let token = try #require(answer.token)
    let access = try taken(service, answer)
    let number = access.rawValue
    #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
    let second = service.take(token)?.rawValue
    #expect(second == nil)
    service.discard(token)
    #expect(fcntl(number, F_GETFD) >= 0)
    access.close()
    let other = PermissionsService(machine: machine(groups: ["video"]))
    let foreign = other.take(token)?.rawValue
    #expect(foreign == nil)
  }

  @Test func `gives one of many takers the descriptor`() async throws {
    let service = PermissionsService(machine: machine(groups: ["video"]))
    for _ in 0..<50 {
      let token = try #require(await service.request().token)
      let count = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<4 { group.addTask { service.take(token)?.rawValue != nil } }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(count == 1)
    }
  }

  @Test func `forgets what nobody takes`() async throws {
    let service = PermissionsService(machine: machine(groups: ["video"]))
    let first = try #require(await service.request().token)
    let before = OwnProcess.descriptorCount
    var answers: [AccessAnswer] = []
    for _ in 0..<100 { answers.append(await service.request()) }
    #expect(answers.compactMap(\.token).count == 100)
    #expect(OwnProcess.descriptorCount < before + 70)
    let number = service.take(first)?.rawValue
    #expect(number == nil)
    let last = try #require(await service.request().token)
    service.discard(last)
    let discarded = service.take(last)?.rawValue
    #expect(discarded == nil)
  }
}
