import LegoKit
import Testing

@Suite struct `The permissions example` {
  let lego: Lego<AppBlueprint> = .init(
    .init(),
    blueprint: AppBlueprint(),
    adaptors: [PermissionsAdaptor()])

  @Test func `answers a status request before build returns`() {
    lego.build(.permission(.requestPermissionStatus))
    #expect(lego.design.permission.camera == .authorized)
    #expect(lego.design.permission.album == .limited)
  }

  @Test func `answers an access request later`() async {
    await lego.build(.permission(.requestCameraAccess)).finished()
    #expect(lego.design.permission.camera == .authorized)
    #expect(lego.design.permission.cameraRequests == 1)
  }

  @Test(arguments: [PermissionStatus.denied, .restricted, .limited, .authorized, .notDetermined])
  func `shows the answer that was given, a refusal too`(status: PermissionStatus) async {
    await withContractors {
      $0.permissions = PermissionsService(camera: status, album: .denied)
    } operation: {
      let lego = Lego(.init(), blueprint: AppBlueprint(), adaptors: [PermissionsAdaptor()])
      await lego.build(.permission(.requestCameraAccess)).finished()
      #expect(lego.design.permission.camera == status)
      lego.build(.permission(.requestPermissionStatus))
      #expect(lego.design.permission.album == .denied)
    }
  }

  @Test func `keeps nothing for the changes that its adaptor has no answer to`() {
    for _ in 0..<100 { lego.build(.house(.submit)) }
    #expect(lego.effectCount == 0)
  }
}
