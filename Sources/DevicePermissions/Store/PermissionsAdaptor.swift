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
public final class PermissionsAdaptor<B: Blueprint>: Adaptor<B> {
  private let extract: @Sendable (B.Change) -> PermissionsBlueprint.Change?
  private let embed: @Sendable (PermissionsBlueprint.Change) -> B.Change

  @Contractor(\.permissions) private var service: PermissionsService

  /// Creates an adaptor for a store whose changes hold permission changes.
  ///
  /// - Parameters:
  ///   - extract: The permission change in a change, if it is one.
  ///   - embed: The change that holds a permission change.
  public init(
    extract: @escaping @Sendable (B.Change) -> PermissionsBlueprint.Change?,
    embed: @escaping @Sendable (PermissionsBlueprint.Change) -> B.Change
  ) {
    self.extract = extract
    self.embed = embed
  }

  /// Creates an adaptor for a store of permissions alone.
  public convenience init() where B == PermissionsBlueprint {
    self.init(extract: { $0 }, embed: { $0 })
  }

  override public func connect(
    _ design: B.Design, on change: B.Change
  ) -> AnyPublisher<B.Change, Never> {
    guard let request = extract(change) else { return .empty }
    let (service, embed) = (service, embed)
    switch request {
    case .requestPermissionStatus:
      return answer { embed(await service.status()) }
    case .requestCameraAccess:
      return answer { embed(.cameraAccess(await service.requestCameraAccess())) }
    case .requestAlbumAccess(let level):
      return answer { embed(.albumAccess(await service.requestAlbumAccess(level))) }
    case .permissionStatus, .cameraAccess, .albumAccess:
      return .empty
    }
  }
}

extension PermissionsService {
  /// Both reports, worked out off the caller's executor: they block on the filesystem.
  @concurrent
  fileprivate func status() async -> PermissionsBlueprint.Change {
    .permissionStatus(
      camera: report(for: Question(.kind(.camera))), album: report(for: Question(.kind(.album))))
  }
}
