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

  @Test func `keeps nothing for the changes that its adaptor has no answer to`() {
    for _ in 0..<100 { lego.build(.house(.onSubmit)) }
    #expect(lego.effectCount == 0)
  }
}
