import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import Testing

/// The examples of the README, line by line.
@Suite struct `Examples of the README` {
  @Test(.machine { $0.addCamera() })
  func `a store asks for the camera`() async {
    let lego = Lego(
      PermissionsBlueprint.Design(), blueprint: PermissionsBlueprint(),
      adaptors: [PermissionsAdaptor()])
    await lego.build(.requestPermissionStatus).finished()

    switch lego.design.camera {
    case .authorized, .limited:
      print("the camera may be used")
    case .notDetermined:
      await lego.build(.requestCameraAccess).finished()
    default:
      print(lego.design.cameraReport?.reason ?? "nobody asked")
    }
    #expect(lego.design.camera == .authorized)
  }

  @Test(
    .machine {
      $0.addUser("alice", id: 1000)
      $0.addCamera()
      $0.run(as: "alice")
    })
  func `the camera follows the person at the machine`() async throws {
    let machine = try #require(MachineTrait.current)
    let permissions = Contractors().permissions
    #expect(permissions.requestStatus().camera == .denied)

    machine.change { $0.logIn("alice") }
    #expect(permissions.requestStatus().camera == .authorized)
  }
}
