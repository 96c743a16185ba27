public import AccessModel
public import LegoKit

/// The part of a store that holds the state of the camera and album permissions.
///
/// A ``PermissionsAdaptor`` answers its requests.
public struct PermissionsBlueprint: Blueprint {
  public static let brick = PermissionsBlueprint()

  public struct Design: Equatable, Sendable {
    /// All that is known of the camera; `nil` until it was asked for.
    public var cameraReport: PermissionReport?
    /// All that is known of the album, about what was asked last: all of it, or one level.
    public var albumReport: PermissionReport?

    /// The status in ``cameraReport``; `nil` until it was asked for.
    public var camera: PermissionStatus? { cameraReport?.status }
    /// The status in ``albumReport``; `nil` until it was asked for.
    public var album: PermissionStatus? { albumReport?.status }

    public init() {}
  }

  public enum Change: Equatable, Sendable {
    case requestPermissionStatus
    case requestCameraAccess
    case requestAlbumAccess(AlbumAccessLevel)
    case permissionStatus(camera: PermissionReport, album: PermissionReport)
    case cameraAccess(PermissionReport)
    case albumAccess(PermissionReport)

    /// The change for two statuses of which nothing more is known.
    public static func permissionStatus(
      camera: PermissionStatus, album: PermissionStatus
    ) -> Change {
      .permissionStatus(camera: PermissionReport(camera), album: PermissionReport(album))
    }

    /// The change for a status of which nothing more is known.
    public static func cameraAccess(_ status: PermissionStatus) -> Change {
      .cameraAccess(PermissionReport(status))
    }

    /// The change for a status of which nothing more is known.
    public static func albumAccess(_ status: PermissionStatus) -> Change {
      .albumAccess(PermissionReport(status))
    }
  }

  public init() {}

  public func change(_ design: inout Design, on change: Change) {
    switch change {
    case .requestPermissionStatus, .requestCameraAccess, .requestAlbumAccess:
      break
    case .permissionStatus(let camera, let album):
      design.cameraReport = camera
      design.albumReport = album
    case .cameraAccess(let report):
      design.cameraReport = report
    case .albumAccess(let report):
      design.albumReport = report
    }
  }
}
