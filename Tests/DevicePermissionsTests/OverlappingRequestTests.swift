import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LinuxDevices
import LinuxTestSupport
import Synchronization
import Testing

/// A portal whose dialogs stay open until a test answers them.
private final class WaitingPortal: CameraPortal {
  /// The portal that determines the user's answer and stores it.
  let memory: InMemoryPortal
  private let dialogs = Mutex<[AsyncStream<Void>.Continuation]>([])

  init(_ person: PortalOutcome) { memory = InMemoryPortal(person: person) }

  var dialogCount: Int { dialogs.withLock { $0.count } }

  /// Answers the last dialog.
  func answer() {
    let last = dialogs.withLock { $0.last }
    last?.yield()
  }

  func status(of application: String?) -> PortalStatus { memory.status(of: application) }

  func request(_ request: PortalRequest) async -> PortalReply {
    guard memory.status(of: "").permission == .nothing else { return await memory.request(request) }
    let (answers, continuation) = AsyncStream.makeStream(of: Void.self)
    dialogs.withLock { $0.append(continuation) }
    for await _ in answers { return await memory.request(request) }
    return PortalReply(.cancelled)
  }

  func store(_ answer: PortalStoredAnswer?, for application: String) async throws(DeviceError) {
    try await memory.store(answer, for: application)
  }

  func permissions(of application: String) -> AsyncStream<PortalPermission> {
    memory.permissions(of: application)
  }
}

/// A desktop with a waiting portal where alice may not open the camera directly.
private struct WaitingDesktop: MachineWrapper {
  let portal: WaitingPortal
  let wrapped: any Machine = InMemoryMachine {
    $0.addUser("alice", id: 1000)
    $0.addCamera()
    $0.run(as: "alice")
  }

  init(_ person: PortalOutcome) { portal = WaitingPortal(person) }

  var cameraPortal: (any CameraPortal)? { portal }
}

@Suite(.timeLimit(.minutes(5))) struct `Requests at the same time` {
  /// Starts requests, and waits until all have reached the portal and one has opened a dialog.
  private func begin(
    _ count: Int, _ service: PermissionsService, on desktop: WaitingDesktop
  ) async -> [Task<AccessAnswer, Never>] {
    let counter = Counter()
    let tasks = (0..<count).map { _ in
      Task { await service.request { _ in counter.count() } }
    }
    #expect(await eventually { counter.value == count && desktop.portal.dialogCount > 0 })
    return tasks
  }

  @Test func `are one dialog, and a no is the answer to all`() async {
    let desktop = WaitingDesktop(.refused)
    let tasks = await begin(5, PermissionsService(machine: desktop), on: desktop)
    #expect(desktop.portal.dialogCount == 1)
    desktop.portal.answer()
    for task in tasks {
      let answer = await task.value
      #expect(answer.report.cause == .portalStoredNo)
      #expect(answer.trials.first { $0.method == .portal }?.outcome == .refused)
    }
    #expect(desktop.portal.dialogCount == 1)
  }

  @Test func `are one dialog, and after a yes each has a token of its own`() async {
    let desktop = WaitingDesktop(.granted)
    let service = PermissionsService(machine: desktop)
    let tasks = await begin(5, service, on: desktop)
    desktop.portal.answer()
    var tokens: Set<AccessToken> = []
    for task in tasks {
      guard let token = await task.value.token else { continue }
      tokens.insert(token)
      let kind = service.take(token)?.kind
      #expect(kind == .pipeWire)
    }
    #expect(tokens.count == 5)
    #expect(desktop.portal.dialogCount == 1)
  }

  @Test func `go on where the one that asks is cancelled`() async {
    let desktop = WaitingDesktop(.granted)
    let service = PermissionsService(machine: desktop)
    let first = await begin(1, service, on: desktop)[0]
    let second = await begin(1, service, on: desktop)[0]
    first.cancel()
    #expect(await first.value.trials.last?.outcome == .cancelled)
    #expect(await eventually { desktop.portal.dialogCount == 2 })
    desktop.portal.answer()
    #expect(await second.value.method == .portal)
  }

  @Test func `leave the dialog to others where one that waits is cancelled`() async {
    let desktop = WaitingDesktop(.granted)
    let service = PermissionsService(machine: desktop)
    let first = await begin(1, service, on: desktop)[0]
    let second = await begin(1, service, on: desktop)[0]
    second.cancel()
    #expect(await second.value.trials.last?.outcome == .cancelled)
    #expect(desktop.portal.dialogCount == 1)
    desktop.portal.answer()
    #expect(await first.value.method == .portal)
  }

  @Test func `have a method in a store for as long as one is on its way`() async {
    let blueprint = PermissionsBlueprint()
    let camera = AccessRequest(.camera)
    let other = AccessRequest(.path("/dev/video0"))
    let service = PermissionsService(machine: InMemoryMachine())
    let cameraAnswer = await service.request(camera)
    let otherAnswer = await service.request(other)
    var design = PermissionsBlueprint.Design()
    for change: PermissionsBlueprint.Change in [
      .request(camera), .request(camera), .request(other), .trying(.portal, for: camera),
      .trying(.portal, for: camera), .trying(.broker, for: other),
    ] { blueprint.change(&design, on: change) }
    #expect(design.method == .broker)
    blueprint.change(&design, on: .answered(otherAnswer))
    #expect(design.method == .portal)
    blueprint.change(&design, on: .answered(cameraAnswer))
    #expect(design.method == .portal)
    blueprint.change(&design, on: .trying(.capability, for: camera))
    #expect(design.method == .capability)
    blueprint.change(&design, on: .answered(cameraAnswer))
    #expect(design.method == nil)
  }
}

/// A counter that any thread can increment.
private final class Counter: Sendable {
  private let number = Mutex(0)

  var value: Int { number.withLock { $0 } }

  func count() { number.withLock { $0 += 1 } }
}
