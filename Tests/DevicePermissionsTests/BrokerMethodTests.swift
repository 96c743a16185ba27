import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LinuxDevices
import Synchronization
import Testing

/// The method of requesting access through the broker.
@Suite(.timeLimit(.minutes(5))) struct `The broker as a method` {
  private let methods: Set<AccessMethod> = [.authorized, .capability, .broker]

  private func machine(
    _ broker: InMemoryBroker?, portal: InMemoryPortal? = nil, groups: [String] = [],
    permitted: CapabilitySet = []
  ) -> InMemoryMachine {
    InMemoryMachine(portal: portal, broker: broker) {
      $0.addUser("alice", id: 1000, groups: groups)
      $0.addCamera()
      $0.addMicrophone()
      $0.run(as: "alice", permitted: permitted)
    }
  }

  @Test func `is taken last, and gives the device as it was found`() async throws {
    let broker = InMemoryBroker()
    let service = PermissionsService(machine: machine(broker))
    let tried = Mutex<[AccessMethod]>([])
    let answer = await service.request { method in tried.withLock { $0.append(method) } }
    #expect(answer.method == .broker)
    #expect(answer.term == .whileOpen)
    #expect(
      answer.trials.map(\.outcome) == [.unavailable, .unavailable, .unavailable, .granted])
    #expect(tried.withLock { $0 } == [.broker])
    #expect(answer.report.status == .authorized)
    let request = try #require(broker.requests.first)
    #expect(broker.requests.count == 1)
    #expect(request.path == "/dev/video0")
    #expect(request.device == answer.explanation?.device?.number)
    #expect(request.wanted == [.read, .write])
    #expect(service.requestStatus().camera == .authorized)
    let kind = service.take(try #require(answer.token))?.kind
    #expect(kind == .device(path: "/dev/video0"))
  }

  @Test(arguments: [
    (BrokerOutcome.refused, AccessTrial.Outcome.refused), (.dismissed, .refused),
    (.unsuitable("no"), .unavailable), (.absent("no polkit"), .unavailable),
    (.timedOut, .timedOut), (.cancelled, .cancelled), (.failed("it broke"), .failed),
  ])
  func `that comes to nothing says why`(
    outcome: BrokerOutcome, trial: AccessTrial.Outcome
  ) async {
    let service = PermissionsService(machine: machine(InMemoryBroker(administrator: outcome)))
    let answer = await service.request(AccessRequest(methods: methods))
    #expect(answer.method == nil)
    #expect(answer.token == nil)
    #expect(answer.trials.last?.method == .broker)
    #expect(answer.trials.last?.outcome == trial)
    #expect((answer.trials.last?.reason == nil) == (outcome == .cancelled))
    #expect(answer.report.status == .denied)
    #expect(answer.settings != nil)
  }

  @Test func `is not asked where another method leads there, or none is wanted`() async {
    let broker = InMemoryBroker()
    func answer(
      _ machine: InMemoryMachine, _ request: AccessRequest = AccessRequest()
    ) async -> AccessAnswer {
      await PermissionsService(machine: machine).request(request)
    }
    let alone = AccessRequest(methods: [.broker])
    let member = machine(broker, groups: ["video"])
    #expect(await answer(member).method == .authorized)
    #expect(await answer(machine(broker, permitted: [.overrideFileAccess])).method == .capability)
    #expect(await answer(member, alone).method == nil)
    #expect(await answer(machine(broker), AccessRequest(methods: [.portal])).method == nil)
    #expect(await answer(InMemoryMachine(broker: broker)).method == nil)
    #expect(broker.requests.isEmpty)
    broker.isAvailable = false
    #expect(await answer(machine(broker), alone).trials.map(\.outcome) == [.unavailable])
    #expect(broker.requests.isEmpty)
  }

  // MARK: The status

  @Test func `leaves the status open until it was asked`() async {
    for outcome in [BrokerOutcome.granted, .refused, .timedOut] {
      let broker = InMemoryBroker(administrator: outcome)
      let service = PermissionsService(machine: machine(broker))
      #expect(service.requestStatus().camera == .notDetermined)
      let microphone = Question(.kind(.microphone))
      #expect(service.report(for: microphone).status == .notDetermined)
      let status: PermissionStatus = outcome == .granted ? .authorized : .denied
      #expect(await service.requestCameraAccess() == status)
      #expect(service.requestStatus().camera == status)
      #expect(service.report(for: microphone).status == .notDetermined)
      #expect(await service.requestMicrophoneAccess() == status)
      #expect(service.report(for: microphone).status == status)
      #expect(broker.requests.map(\.path) == ["/dev/video0", "/dev/snd/pcmC0D0c"])
    }
  }

  @Test func `leaves the status open only where it could open the device`() {
    let broker = InMemoryBroker()
    let machine = machine(broker)
    let service = PermissionsService(machine: machine)
    broker.isAvailable = false
    #expect(service.requestStatus().camera == .denied)
    broker.isAvailable = true
    machine.change {
      $0.addUser("alice", toGroup: "video")
      $0.run(as: "alice")
    }
    #expect(service.requestStatus().camera == .authorized)
    machine.change { $0.removeDevice("/dev/video0") }
    #expect(service.requestStatus().camera == .absent)
    #expect(broker.requests.isEmpty)
  }

  @Test func `is not asked after a no to the portal, unless it is named alone`() async {
    let (broker, portal) = (InMemoryBroker(), InMemoryPortal(person: .refused))
    let service = PermissionsService(machine: machine(broker, portal: portal))
    #expect(service.requestStatus().camera == .notDetermined)
    #expect(await service.requestCameraAccess() == .denied)
    #expect(PermissionsService(machine: service.machine).requestStatus().camera == .denied)
    let answer = await service.request()
    #expect(answer.trials.map(\.method).suffix(2) == [.capability, .broker])
    #expect(answer.trials.last?.outcome == .unavailable)
    #expect(broker.requests.isEmpty)
    #expect(await service.request(AccessRequest(methods: [.broker])).method == .broker)
  }

  @Test func `keeps what it gave while the rules refuse as before, and loses it with the device`()
    async throws
  {
    let machine = machine(InMemoryBroker())
    let service = PermissionsService(machine: machine)
    let token = try #require(await service.request().token)
    guard let access = service.take(token) else {
      throw DeviceError(.unavailable, operation: "take the descriptor")
    }
    let revocations = access.revocations
    let first = Task { await revocations.first { _ in true } }
    machine.change { $0.setMode(0o600, of: "/dev/video0") }
    machine.change { $0.removeDevice("/dev/video0") }
    #expect(await first.value == .removed)
    access.close()
  }
}
