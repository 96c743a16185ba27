import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LinuxDevices
import Testing

/// The outcome of a request, as seen by a program that checks again.
@Suite(.timeLimit(.minutes(5))) struct `A device that was asked for` {
  private static let path = "/dev/video0"
  private static let targets: [AccessRequest.Target] = [
    .camera, .cameraNamed("integrated camera"), .path(path),
  ]
  private static let questions = [Question(.kind(.camera)), Question(.path(path))]

  /// A machine where alice may not open the camera.
  private func machine(
    portal: InMemoryPortal? = nil, broker: InMemoryBroker? = nil, permitted: CapabilitySet = []
  ) -> InMemoryMachine {
    InMemoryMachine(portal: portal, broker: broker) {
      $0.addUser("alice", id: 1000)
      $0.addCamera()
      $0.run(as: "alice", permitted: permitted)
    }
  }

  /// Requests access while the status is undetermined, and discards the results.
  ///
  /// - Returns: The number of requests, at most five.
  private func rounds(
    _ service: PermissionsService, _ request: AccessRequest, _ question: Question
  ) async -> Int {
    var rounds = 0
    while service.report(for: question).status == .notDetermined, rounds < 5 {
      rounds += 1
      if let token = await service.request(request).token { service.discard(token) }
    }
    return rounds
  }

  @Test func `is opened where a link leads to it`() async throws {
    let link = "/dev/v4l/by-id/camera"
    let machine = InMemoryMachine {
      $0.addUser("alice", id: 1000, groups: ["video"])
      $0.addCamera()
      $0.addLink(link, to: Self.path)
      $0.run(as: "alice")
    }
    let service = PermissionsService(machine: machine)
    let answer = await service.request(AccessRequest(.path(link)))
    #expect(answer.method == .authorized, "\(answer)")
    #expect(machine.openedPaths == [Self.path])
    #expect(service.take(try #require(answer.token))?.kind == .device(path: Self.path))
  }

  @Test(arguments: targets, questions)
  func `is settled by one request, however it is named`(
    target: AccessRequest.Target, question: Question
  ) async {
    for (administrator, status) in [
      (BrokerOutcome.refused, PermissionStatus.denied), (.granted, .authorized),
    ] {
      let broker = InMemoryBroker(administrator: administrator)
      let service = PermissionsService(machine: machine(broker: broker))
      #expect(await rounds(service, AccessRequest(target), question) == 1)
      #expect(service.report(for: question).status == status)
      #expect(broker.requests.count == 1)
    }
    let capable = PermissionsService(machine: machine(permitted: [.overrideFileAccess]))
    #expect(await rounds(capable, AccessRequest(target), question) == 1)
    #expect(capable.report(for: question).status == .authorized)
  }

  @Test(arguments: questions)
  func `has the status of the portal, however it is named`(question: Question) async {
    for (person, status) in [
      (PortalOutcome.granted, PermissionStatus.authorized), (.refused, .denied),
    ] {
      let portal = InMemoryPortal(person: person)
      let service = PermissionsService(machine: machine(portal: portal))
      #expect(await rounds(service, AccessRequest(.path(Self.path)), question) == 1)
      #expect(service.report(for: question).status == status)
      #expect(portal.dialogCount == 1)
    }
  }

  @Test(arguments: AccessMethod.allCases)
  func `is settled by a request for one method, though another could lead there`(
    method: AccessMethod
  ) async {
    let service = PermissionsService(machine: machine(permitted: [.overrideFileAccess]))
    #expect(await rounds(service, AccessRequest(methods: [method]), Question(.kind(.camera))) == 1)
    let isGranted = method == .capability
    #expect(service.requestStatus().camera == (isGranted ? .authorized : .denied))
  }

  @Test(arguments: targets, questions)
  func `is authorized while it is held, however it is named`(
    target: AccessRequest.Target, question: Question
  ) async throws {
    for machine in [
      machine(permitted: [.overrideFileAccess]), machine(broker: InMemoryBroker()),
    ] {
      let service = PermissionsService(machine: machine)
      let token = try #require(await service.request(AccessRequest(target)).token)
      guard let access = service.take(token) else {
        throw DeviceError(.unavailable, operation: "take the descriptor")
      }
      let report = service.report(for: question)
      #expect(report.status == .authorized)
      #expect(report.certainty == .proven)
      access.close()
    }
  }

  @Test func `is remembered apart from others, until it is unplugged`() async {
    let machine = InMemoryMachine(broker: InMemoryBroker(administrator: .refused)) {
      $0.addUser("alice", id: 1000)
      $0.addCamera(0, name: "Front")
      $0.addCamera(2, name: "Back")
      $0.run(as: "alice")
    }
    let service = PermissionsService(machine: machine)
    func statuses() -> [PermissionStatus] {
      ["/dev/video0", "/dev/video2"].map { service.report(for: Question(.path($0))).status }
    }
    #expect(statuses() == [.notDetermined, .notDetermined])
    _ = await service.request(AccessRequest(.cameraNamed("Back")))
    #expect(statuses() == [.notDetermined, .denied])
    #expect(service.requestStatus().camera == .notDetermined)
    _ = await service.request(AccessRequest(.path("/dev/video0")))
    #expect(statuses() == [.denied, .denied])
    machine.change { $0.removeDevice("/dev/video2") }
    #expect(service.requestStatus().camera == .denied)
    machine.change { $0.addCamera(2, name: "Back") }
    #expect(statuses() == [.denied, .notDetermined])
  }

  @Test func `by a path that is no camera is not the broker's`() async {
    let broker = InMemoryBroker()
    let machine = InMemoryMachine(broker: broker) {
      $0.addUser("alice", id: 1000)
      var port = DeviceFacts(
        node: "/dev/ttyUSB0", sysfsPath: "/sys/devices/usb1/1-2/tty/ttyUSB0", subsystem: "tty",
        kernelName: "ttyUSB0")
      port.number = DeviceNumber(major: 188, minor: 0)
      $0.addDevice(port)
      $0.run(as: "alice")
    }
    let question = Question(.path("/dev/ttyUSB0"))
    #expect(PermissionsService(machine: machine).report(for: question).status == .denied)
  }

  @Test func `is not told of others`() {
    let service = PermissionsService(machine: machine(broker: InMemoryBroker()))
    let question = Question(.path(Self.path), subject: .user("alice"))
    #expect(service.report(for: question).status == .denied)
  }
}
