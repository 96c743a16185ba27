public import AccessModel
public import LegoKit

/// The part of a store that holds the state of the camera and album permissions.
///
/// A ``PermissionsAdaptor`` answers its requests.
public struct PermissionsBlueprint: Blueprint {
  public static let brick = PermissionsBlueprint()

  public struct Design: Equatable, Sendable {
    /// `nil` until it was asked for.
    public var camera: PermissionStatus?
    /// `nil` until it was asked for.
    public var album: PermissionStatus?
    /// The whole state behind ``camera``: availability, certainty and the reason.
    public var cameraReport: PermissionReport?
    /// The whole state behind ``album``.
    public var albumReport: PermissionReport?

    public init() {}
  }

  public enum Change: Equatable, Sendable {
    case requestPermissionStatus
    case requestCameraAccess
    case requestAlbumAccess(AlbumAccessLevel)
    case permissionStatus(camera: PermissionReport, album: PermissionReport)
    case cameraAccess(PermissionStatus)
    case albumAccess(PermissionStatus)
  }

  public init() {}

  public func change(_ design: inout Design, on change: Change) {
    switch change {
    case .requestPermissionStatus, .requestCameraAccess, .requestAlbumAccess:
      break
    case .permissionStatus(let camera, let album):
      design.camera = camera.status ?? .notDetermined
      design.album = album.status ?? .notDetermined
      design.cameraReport = camera
      design.albumReport = album
    case .cameraAccess(let status):
      design.camera = status
    case .albumAccess(let status):
      design.album = status
    }
  }
}
