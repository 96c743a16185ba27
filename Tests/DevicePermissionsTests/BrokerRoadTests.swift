import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import Glibc
import LinuxDevices
import Synchronization
import Testing

/// The road of a request that leads over the broker.
@Suite(.timeLimit(.minutes(5))) struct `The broker as a road` {
  /// A broker that answers as a test says.
  private final class MadeUpBroker: DeviceBroker {
    let isAvailable: Bool
    private let outcome: BrokerOutcome
    private let asked = Mutex<[BrokerRequest]>([])

    init(_ outcome: BrokerOutcome, isAvailable: Bool = true) {
      self.outcome = outcome
      self.isAvailable = isAvailable
    }

    var requests: [BrokerRequest] { asked.withLock { $0 } }

    func open(_ request: BrokerRequest) async -> BrokerReply {
      asked.withLock { $0.append(request) }
      guard outcome == .granted else { return BrokerReply(outcome) }
      let number = unsafe Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
      return BrokerReply(granting: DeviceDescriptor(adopting: number))
    }
  }

  private struct BrokeredMachine: MachineWrapper {
    let wrapped: any Machine
    let deviceBroker: (any DeviceBroker)?
  }

  private let roads: Set<AccessRoad> = [.authorized, .capability, .broker]

  private func memory(
    groups: [String] = [], permitted: CapabilitySet = []
  ) -> InMemoryMachine {
    InMemoryMachine {
      $0.addUser("alice", id: 1000, groups: groups)
      $0.addCamera()
      $0.run(as: "alice", permitted: permitted)
    }
  }

  private func service(_ machine: InMemoryMachine, _ broker: MadeUpBroker) -> PermissionsService {
    PermissionsService(machine: BrokeredMachine(wrapped: machine, deviceBroker: broker))
  }

  @Test func `is taken last, and gives the device as it was found`() async throws {
    let broker = MadeUpBroker(.granted)
    let service = service(memory(), broker)
    let tried = Mutex<[AccessRoad]>([])
    let answer = await service.request { road in tried.withLock { $0.append(road) } }
    #expect(answer.road == .broker)
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
    let answer = await service(memory(), MadeUpBroker(outcome))
      .request(AccessRequest(roads: roads))
    #expect(answer.road == nil)
    #expect(answer.token == nil)
    #expect(answer.trials.last?.road == .broker)
    #expect(answer.trials.last?.outcome == trial)
    #expect((answer.trials.last?.reason == nil) == (outcome == .cancelled))
    #expect(answer.report.status == .denied)
    #expect(answer.settings != nil)
  }

  @Test func `is not asked where another road leads there, or none is wanted`() async {
    let broker = MadeUpBroker(.granted)
    for machine in [memory(groups: ["video"]), memory(permitted: [.overrideFileAccess])] {
      #expect(await service(machine, broker).request().road != .broker)
    }
    let alone = AccessRequest(roads: [.broker])
    #expect(await service(memory(groups: ["video"]), broker).request(alone).road == nil)
    #expect(await service(memory(), broker).request(AccessRequest(roads: [.portal])).road == nil)
    #expect(await service(InMemoryMachine(), broker).request().road == nil)
    #expect(broker.requests.isEmpty)
    let absent = MadeUpBroker(.granted, isAvailable: false)
    let answer = await service(memory(), absent).request(alone)
    #expect(answer.trials.map(\.outcome) == [.unavailable])
    #expect(absent.requests.isEmpty)
  }

  @Test func `keeps what it gave while the rules refuse as before, and loses it with the device`()
    async throws
  {
    let machine = memory()
    let service = service(machine, MadeUpBroker(.granted))
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
