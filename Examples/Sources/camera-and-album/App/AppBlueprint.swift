import DevicePermissions
import LegoKit

/// The whole program: which screen it shows, the permissions, and the last picture.
struct AppBlueprint: Blueprint {
  /// What is shown.
  enum Screen: Equatable, Sendable {
    case splash
    case permissions
    case preview
    case help
  }

  /// How far the last picture has come.
  enum Photo: Equatable, Sendable {
    case none
    case taking
    case saved(SavedPicture)
    case failed(String)
  }

  struct Design: Equatable, Sendable {
    var screen = Screen.splash
    var permissions = PermissionsBlueprint.Design()
    /// What the help explains.
    var device = DeviceBlueprint.Design()
    var photo = Photo.none

    /// The first permission that is missing; `nil` while that is not known, or when none is.
    var missing: DeviceKind? {
      guard let camera = permissions.camera, let album = permissions.album else { return nil }
      return camera != .authorized ? .camera : album != .authorized ? .album : nil
    }
  }

  enum Change: Equatable, Sendable, PayloadReadable {
    /// The splash was seen: look at the permissions.
    case start
    case permission(PermissionsBlueprint.Change)
    case device(DeviceBlueprint.Change)
    case takePicture
    case took(SavedPicture)
    case failed(String)

    var payload: Any? {
      switch self {
      case .permission(let change): change
      case .device(let change): change
      case .start, .takePicture, .took, .failed: nil
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .start:
      if design.screen == .splash { design.screen = .permissions }
    case .permission(.permissionStatus), .permission(.cameraAccess):
      design.showAnswer()
    case .permission, .device:
      break
    case .takePicture:
      if design.screen == .preview { design.photo = .taking }
    case .took(let picture):
      design.photo = .saved(picture)
    case .failed(let reason):
      design.photo = .failed(reason)
    }
  }
}

extension AppBlueprint.Design {
  /// Goes to the screen that the answers lead to: from help to preview too, and back.
  fileprivate mutating func showAnswer() {
    guard screen != .splash else { return }
    // The adaptor asks for it.
    let isAsking = permissions.camera == .notDetermined
    screen = isAsking ? .permissions : missing == nil ? .preview : .help
  }
}
