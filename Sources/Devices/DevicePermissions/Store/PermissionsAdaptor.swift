internal import AccessModel
public import LegoKit
internal import LinuxDevices

/// Answers the requests of a ``PermissionsBlueprint``.
///
/// If the permissions are a part of a larger blueprint, convert the adaptor to an adaptor of the
/// whole:
///
/// ```swift
/// let lego = Lego(
///   AppBlueprint.Design(), blueprint: AppBlueprint(),
///   adaptors: [
///     PermissionsAdaptor().part(\.permissions, .case(AppBlueprint.Change.permission))
///   ])
/// ```
///
/// The adaptor uses the service that is current when it handles a request; see `Contractor`.
public final class PermissionsAdaptor: Adaptor<PermissionsBlueprint> {
  @Contractor(\.permissions) private var service: PermissionsService
  private let executor: (any TaskExecutor)?

  /// Creates an adaptor.
  ///
  /// - Parameter executor: The executor that performs the work; `nil` for the default executor.
  public init(executor: (any TaskExecutor)? = nil) {
    self.executor = executor
  }

  override public func effect(
    _ design: PermissionsBlueprint.Design, on change: PermissionsBlueprint.Change
  ) -> Effect<PermissionsBlueprint.Change> {
    switch change {
    case .requestPermissionStatus:
      .run(executor: executor) { [service] send in
        for change in await service.status() { send(change) }
      }
    case .requestCameraAccess:
      .run(executor: executor) { [service] send in
        send(.cameraAccess(await service.requestCamera()))
      }
    case .requestMicrophoneAccess:
      .run(executor: executor) { [service] send in
        send(.microphoneAccess(await service.requestMicrophone()))
      }
    case .request(let request):
      .run(executor: executor) { [service] send in
        send(.answered(await service.request(request) { send(.trying($0, for: request)) }))
      }
    case .requestAlbumAccess(let level):
      .run(executor: executor) { [service] send in
        send(.albumAccess(await service.requestAlbum(level)))
      }
    case .requestAlbumSelection(let request):
      .run(executor: executor) { [service] send in
        send(.albumSelected(await service.requestAlbumSelection(request)))
      }
    case .watch, .permissionStatus, .microphoneStatus, .gaps, .cameraAccess, .microphoneAccess,
      .trying, .answered, .albumAccess, .albumSelected:
      .none
    }
  }

  /// Closes the descriptor of the last request, unless it has been taken.
  ///
  /// Otherwise, a program that keeps a closed store would keep the device open. An answer that does
  /// not reach the design has the only token of its descriptor, so its descriptor is closed as
  /// well.
  override public func ended(_ design: PermissionsBlueprint.Design) -> (@Sendable () async -> Void)?
  {
    guard let token = design.accessAnswer?.token else { return nil }
    return { token.discard() }
  }

  /// Keeps the reports current while the design requests that.
  override public var follows: [Follow<PermissionsBlueprint>] {
    let executor = executor
    return [
      Follow(\.isWatching) { isWatching in
        guard isWatching else { return .none }
        return .run(executor: executor) { send in await Self.follow(send) }
      }
    ]
  }

  /// The time between attempts while nothing can be observed.
  private static let interval = Duration.seconds(1)

  /// Sends all reports, and then each report that changes, until the task is cancelled.
  ///
  /// If nothing can be observed, all reports are unknown, and the observation is tried again.
  private static func follow(_ send: Send<PermissionsBlueprint.Change>) async {
    var sent: PermissionChanges.Element?
    func tell(_ now: PermissionChanges.Element) {
      if now.camera != sent?.camera || now.album != sent?.album {
        send(.permissionStatus(camera: now.camera, album: now.album))
      }
      if now.microphone != sent?.microphone { send(.microphoneStatus(now.microphone)) }
      if now.gaps != sent?.gaps ?? [] { send(.gaps(now.gaps)) }
      sent = now
    }
    while !Task.isCancelled {
      do throws(DeviceError) {
        for try await now in Contractors().permissions.changes { tell(now) }
        return
      } catch {
        let unknown = PermissionReport(unknownAt: nil, reason: error.description)
        tell(
          PermissionChanges.Element(
            camera: unknown, album: unknown, microphone: unknown,
            gaps: [Unobserved("events", reason: error.description)]))
        await Pause.wait(until: .now.advanced(by: interval))
      }
    }
  }
}

extension PermissionsService {
  /// Returns all reports off the caller's executor, because they block on the filesystem.
  @concurrent
  fileprivate func status() async -> [PermissionsBlueprint.Change] {
    [
      .permissionStatus(
        camera: report(for: PermissionsService.camera),
        album: report(for: PermissionsService.album)),
      .microphoneStatus(report(for: PermissionsService.microphone)),
    ]
  }
}
