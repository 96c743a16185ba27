import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import LinuxDevices
import Testing

/// An application with permissions and devices.
private struct AppBlueprint: Blueprint {
  struct Design: Equatable, Sendable {
    var permissions = PermissionsBlueprint.Design()
    var devices = DeviceBlueprint.Design()
  }

  enum Change: Equatable, Sendable, PayloadReadable {
    case permissions(PermissionsBlueprint.Change)
    case devices(DeviceBlueprint.Change)

    var payload: Any? {
      switch self {
      case .permissions(let change): change
      case .devices(let change): change
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {}

  static func store() -> Lego<AppBlueprint> {
    let app = Feature(AppBlueprint())
      .part(\.permissions, .case(Change.permissions), .permissions)
      .part(\.devices, .case(Change.devices), .devices)
    return Lego(Design(), feature: app)
  }
}

@Suite(
  .machine {
    $0.addUser("alice", id: 1000, groups: ["video"])
    $0.addDirectory("/home/alice/Pictures", mode: 0o700, owner: "alice")
    $0.addCamera(metadataSibling: true)
    $0.run(as: "alice")
  })
struct `Services in a store` {
  @Test func `statuses arrive in the design`() async {
    let lego = AppBlueprint.store()
    await lego.build(.permissions(.requestPermissionStatus)).finished()
    #expect(lego.design.permissions.camera == .authorized)
    #expect(lego.design.permissions.album == .authorized)
    #expect(lego.design.permissions.cameraReport?.path == "/dev/video0")
  }

  @Test func `a descriptor is taken by the token that arrives in the design`() async throws {
    let lego = AppBlueprint.store()
    await lego.build(.permissions(.request(AccessRequest()))).finished()
    let answer = try #require(lego.design.permissions.accessAnswer)
    #expect(lego.design.permissions.method == nil)
    #expect(lego.design.permissions.camera == .authorized)
    let service = Contractors().permissions
    let token = try #require(answer.token)
    let method = service.take(token)?.method
    #expect(method == .authorized)
    let second = service.take(token)?.method
    #expect(second == nil)
  }

  @Test func `requests arrive in the design`() async {
    let lego = AppBlueprint.store()
    await lego.build(.permissions(.requestCameraAccess)).finished()
    await lego.build(.permissions(.requestAlbumAccess(.addOnly))).finished()
    #expect(lego.design.permissions.camera == .authorized)
    #expect(lego.design.permissions.album == .authorized)
  }

  @Test func `lists and explanations arrive in the design`() async {
    let lego = AppBlueprint.store()
    await lego.build(.devices(.list(.camera))).finished()
    await lego.build(.devices(.explain(Question(.path("/dev/video1"))))).finished()
    #expect(lego.design.devices.listings[.camera]?.count == 2)
    #expect(lego.design.devices.explanation?.decision.isGranted == true)
  }

  @Test func `a failure arrives in the design and the next request clears it`() async {
    let lego = AppBlueprint.store()
    await lego.build(.devices(.explain(Question(.path(""))))).finished()
    #expect(lego.design.devices.failure?.code == .invalidPath)
    await lego.build(.devices(.list(.camera))).finished()
    #expect(lego.design.devices.failure == nil)
  }

  /// Requests access and reads the status until it is determined, as programs do.
  private static func ask(on machine: any Machine) async -> (PermissionReport?, rounds: Int) {
    await withContractors {
      $0.permissions = PermissionsService(machine: machine)
    } operation: {
      let lego = AppBlueprint.store()
      await lego.build(.permissions(.requestPermissionStatus)).finished()
      var rounds = 0
      while lego.design.permissions.camera == .notDetermined, rounds < 10 {
        rounds += 1
        await lego.build(.permissions(.requestCameraAccess)).finished()
        await lego.build(.permissions(.requestPermissionStatus)).finished()
      }
      return (lego.design.permissions.cameraReport, rounds)
    }
  }

  @Test func `asking and looking again comes to an end on every machine`() async {
    let askable = InMemoryMachine {
      $0.addUser("alice", id: 1000)
      $0.addCamera()
      $0.run(as: "alice", permitted: [.overrideFileAccess])
    }
    #expect(await Self.ask(on: askable).rounds == 1)
    #expect(await Self.ask(on: InMemoryMachine()).rounds == 0)
    #expect(await Self.ask(on: InMemoryMachine()).0?.status == .absent)
    for (errno, status) in UnopenableMachine.outcomes {
      let (report, rounds) = await Self.ask(on: UnopenableMachine(errno: errno))
      #expect(report?.status == status)
      #expect(rounds == 1)
    }
  }

  @Test func `a status alone is a report that agrees with it`() {
    var design = PermissionsBlueprint.Design()
    let blueprint = PermissionsBlueprint()
    for status in PermissionStatus.allCases {
      blueprint.change(&design, on: .permissionStatus(camera: status, album: .denied))
      #expect(design.camera == status && design.album == .denied)
      #expect((design.cameraReport?.answer == .allowed) == (status == .authorized))
      #expect((design.cameraReport?.answer == .absent) == (status == .absent))
      blueprint.change(&design, on: .albumAccess(status))
      #expect(design.album == status)
    }
    blueprint.change(&design, on: .cameraAccess(.restricted))
    #expect(design.camera == .restricted && design.cameraReport?.answer == .refused)
  }

  @Test func `a store follows the machine`() async throws {
    let machine = try #require(MachineTrait.current)
    let lego = AppBlueprint.store()
    machine.change { $0.setMode(0o600, of: "/dev/video0") }
    await lego.build(.permissions(.requestPermissionStatus)).finished()
    #expect(lego.design.permissions.camera == .denied)
  }
}
