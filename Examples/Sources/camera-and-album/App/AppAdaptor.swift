import DevicePermissions
import LegoKit

/// Asks for the permissions, explains what is missing, and takes pictures.
final class AppAdaptor: Adaptor<AppBlueprint> {
  @Contractor(\.camera) private var camera
  @Contractor(\.album) private var album

  override func effect(
    _ design: AppBlueprint.Design, on change: AppBlueprint.Change
  ) -> Effect<AppBlueprint.Change> {
    switch change {
    case .start:
      .send(.permission(.requestPermissionStatus))
    case .permission(.permissionStatus(let camera, _)) where camera.status == .notDetermined:
      .send(.permission(.requestCameraAccess))
    case .permission(.permissionStatus), .permission(.cameraAccess):
      help(design)
    case .takePicture:
      take(design)
    case .permission, .device, .took, .failed:
      .none
    }
  }

  /// Has the devices' feature explain the first permission that is missing.
  private func help(_ design: AppBlueprint.Design) -> Effect<AppBlueprint.Change> {
    guard design.screen == .help, let kind = design.missing else { return .none }
    return .send(.device(.explain(Question(.kind(kind)))))
  }

  /// Takes a picture and saves it; while that goes on, nothing happens.
  private func take(_ design: AppBlueprint.Design) -> Effect<AppBlueprint.Change> {
    guard design.photo == .taking, let node = design.permissions.cameraReport?.path,
      let directory = design.permissions.albumReport?.path
    else { return .none }
    let effect = Effect<AppBlueprint.Change>.run { [camera, album] send in
      do {
        let picture = try await camera.takePicture(node)
        let path = try album.save(picture.jpeg(), "jpg", directory)
        send(.took(SavedPicture(path: path, width: picture.width, height: picture.height)))
      } catch {
        send(.failed("\(error)"))
      }
    }
    return effect.id("picture", policy: .runOldest(.discard))
  }
}
