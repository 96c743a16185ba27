internal import AccessModel
public import LegoKit

/// Answers the requests of a ``PermissionsBlueprint``, wherever it stands in a store's blueprint.
///
/// ```swift
/// let lego = Lego(
///   AppBlueprint.Design(), blueprint: AppBlueprint(),
///   adaptors: [
///     PermissionsAdaptor(
///       extract: { if case .permission(let change) = $0 { change } else { nil } },
///       embed: { .permission($0) })
///   ])
/// ```
///
/// The service is the one in force when a request is answered: see `Contractor`.
public final class PermissionsAdaptor<B: Blueprint>: PartAdaptor<B, PermissionsBlueprint> {
  @Contractor(\.permissions) private var service: PermissionsService

  /// Creates an adaptor for a store that holds only permissions.
  public convenience init() where B == PermissionsBlueprint {
    self.init(extract: { $0 }, embed: { $0 })
  }

  override func work(
    for request: PermissionsBlueprint.Change
  ) -> (@Sendable () async -> PermissionsBlueprint.Change)? {
    let service = service
    switch request {
    case .requestPermissionStatus:
      return { await service.status() }
    case .requestCameraAccess:
      return { .cameraAccess(await service.requestCamera()) }
    case .requestAlbumAccess(let level):
      return { .albumAccess(await service.requestAlbum(level)) }
    case .permissionStatus, .cameraAccess, .albumAccess:
      return nil
    }
  }
}

extension PermissionsService {
  /// Both reports, worked out off the caller's executor: they block on the filesystem.
  @concurrent
  fileprivate func status() async -> PermissionsBlueprint.Change {
    .permissionStatus(
      camera: report(for: PermissionsService.camera), album: report(for: PermissionsService.album))
  }
}
