import DevicePermissions
import LegoKit

/// Takes the camera that a request was answered with, and watches whether it is taken back.
final class HolderAdaptor: Adaptor<HolderBlueprint> {
  @Contractor(\.permissions) private var permissions

  override func effect(
    _ design: HolderBlueprint.Design, on change: HolderBlueprint.Change
  ) -> Effect<HolderBlueprint.Change> {
    guard case .permission(.answered(let answer)) = change else { return .none }
    return .run { [permissions] send in
      // The token went through the store; the descriptor stays here, and is closed with the effect.
      guard let token = answer.token, let camera = permissions.take(token) else {
        return send(.became(.refused(answer.report.reason ?? "the camera cannot be opened")))
      }
      send(.became(.held(camera.kind, camera.method)))
      for await revocation in camera.revocations { send(.became(.takenBack(revocation))) }
      camera.close()
    }
  }
}
