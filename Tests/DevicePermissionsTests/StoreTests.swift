import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import LinuxDevices
import Testing

/// A store of an application that has permissions and devices among its parts.
private struct AppBlueprint: Blueprint {
  @Brick(\.permissions) private var permissions
  @Brick(\.devices) private var devices

  struct Design: Equatable, Sendable {
    var permissions = PermissionsBlueprint.Design()
    var devices = DeviceBlueprint.Design()
  }

  enum Change: Equatable, Sendable {
    case permissions(PermissionsBlueprint.Change)
    case devices(DeviceBlueprint.Change)
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .permissions(let change): permissions.change(&design.permissions, on: change)
    case .devices(let change): devices.change(&design.devices, on: change)
    }
  }

  static func store() -> Lego<AppBlueprint> {
    Lego(
      Design(), blueprint: AppBlueprint(),
      adaptors: [
        PermissionsAdaptor(
          extract: { if case .permissions(let change) = $0 { change } else { nil } },
          embed: { .permissions($0) }),
        DeviceAdaptor(
          extract: { if case .devices(let change) = $0 { change } else { nil } },
          embed: { .devices($0) }),
      ])
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

  @Test func `a store follows the machine`() async throws {
    let machine = try #require(MachineTrait.current)
    let lego = AppBlueprint.store()
    machine.change { $0.setMode(0o600, of: "/dev/video0") }
    await lego.build(.permissions(.requestPermissionStatus)).finished()
    #expect(lego.design.permissions.camera == .denied)
  }
}
