public import AccessModel
public import LegoKit
internal import LinuxDevices

/// The part of a store that contains the state of the camera, microphone and album permissions.
///
/// A ``PermissionsAdaptor`` answers its requests.
public struct PermissionsBlueprint: Blueprint {
  public static let brick = PermissionsBlueprint()

  public struct Design: Equatable, Sendable {
    /// The last report about the camera; `nil` if there is none yet.
    public var cameraReport: PermissionReport?
    /// The last report about the album, or about one level of it; `nil` if there is none yet.
    public var albumReport: PermissionReport?
    /// The last report about the microphone; `nil` if there is none yet.
    public var microphoneReport: PermissionReport?
    /// A Boolean value that indicates whether the reports are kept current.
    public var isWatching = false
    /// The objects that send no events while the reports are kept current, each with the reason.
    ///
    /// They are polled once a second, so the reports may be that old. If an observation fails, the
    /// array also contains the reason, and the reports may be up to ten seconds old.
    public var gaps: [Unobserved] = []

    /// The method that a request is currently trying; `nil` if there is none.
    ///
    /// If there are several requests, it is the method that was started last.
    public var method: AccessMethod? { underway.last { $0.method != nil }?.method }
    /// The requests in progress; the one that started a method last is at the end.
    private var underway: [RunningRequest] = []
    /// The answer to the last ``PermissionsBlueprint/Change/request(_:)``, with the token of its
    /// descriptor.
    ///
    /// The descriptor is closed with the store, unless it has been taken. When the next answer
    /// replaces this one, the descriptor is closed unless it has been taken or another copy of the
    /// token exists.
    public var accessAnswer: AccessAnswer?

    /// The files that the user chose last; `nil` if there is no selection yet.
    public var albumSelection: AlbumSelection?

    /// The status in ``cameraReport``; `nil` if there is no report yet.
    public var camera: PermissionStatus? { cameraReport?.status }
    /// The status in ``microphoneReport``; `nil` if there is no report yet.
    public var microphone: PermissionStatus? { microphoneReport?.status }
    /// The status in ``albumReport``; `nil` if there is no report yet.
    public var album: PermissionStatus? { albumReport?.status }

    /// Creates the state before the first request.
    public init() {}

    private struct RunningRequest: Equatable, Sendable {
      let request: AccessRequest
      var method: AccessMethod?
    }

    fileprivate mutating func begin(_ request: AccessRequest) {
      underway.append(RunningRequest(request: request))
    }

    /// Records that a request started a method.
    ///
    /// Equal requests cannot be distinguished, so this applies to the first one that has not
    /// reached the method yet.
    fileprivate mutating func begin(_ method: AccessMethod, of request: AccessRequest) {
      let index =
        underway.firstIndex { $0.request == request && $0.method != method }
        ?? underway.firstIndex { $0.request == request }
      if let index { underway.remove(at: index) }
      underway.append(RunningRequest(request: request, method: method))
    }

    fileprivate mutating func end(_ request: AccessRequest) {
      guard let index = underway.lastIndex(where: { $0.request == request }) else { return }
      underway.remove(at: index)
    }
  }

  public enum Change: Equatable, Sendable {
    /// Requests the status of the camera, the album and the microphone, without requesting access.
    case requestPermissionStatus
    /// Requests access to the camera.
    case requestCameraAccess
    /// Requests access to the microphone.
    case requestMicrophoneAccess
    /// Requests a device or the album in order to use it.
    ///
    /// The answer contains a token, and the service keeps the descriptor.
    case request(AccessRequest)
    /// Requests access to the album at one level.
    case requestAlbumAccess(AlbumAccessLevel)
    /// Asks the user to choose files of the album.
    case requestAlbumSelection(AlbumSelectionRequest)
    /// Starts or stops keeping all reports current.
    case watch(Bool)
    /// Answers ``requestPermissionStatus`` with the reports about the camera and the album.
    case permissionStatus(camera: PermissionReport, album: PermissionReport)
    /// Answers ``requestPermissionStatus`` with the report about the microphone.
    case microphoneStatus(PermissionReport)
    /// Reports the objects that send no events while the reports are kept current.
    case gaps([Unobserved])
    /// Answers ``requestCameraAccess`` with the report about the camera.
    case cameraAccess(PermissionReport)
    /// Answers ``requestMicrophoneAccess`` with the report about the microphone.
    case microphoneAccess(PermissionReport)
    /// Reports the method that a ``request(_:)`` is trying.
    case trying(AccessMethod, for: AccessRequest)
    /// Answers ``request(_:)``.
    case answered(AccessAnswer)
    /// Answers ``requestAlbumAccess(_:)`` with the report about that level.
    case albumAccess(PermissionReport)
    /// Answers ``requestAlbumSelection(_:)``.
    case albumSelected(AlbumSelection)

    /// Returns the change for two statuses without their reports.
    public static func permissionStatus(
      camera: PermissionStatus, album: PermissionStatus
    ) -> Change {
      .permissionStatus(camera: PermissionReport(camera), album: PermissionReport(album))
    }

    /// Returns the change for a status without its report.
    public static func cameraAccess(_ status: PermissionStatus) -> Change {
      .cameraAccess(PermissionReport(status))
    }

    /// Returns the change for a status without its report.
    public static func albumAccess(_ status: PermissionStatus) -> Change {
      .albumAccess(PermissionReport(status))
    }
  }

  /// Creates a blueprint.
  public init() {}

  public func change(_ design: inout Design, on change: Change) {
    switch change {
    case .requestPermissionStatus, .requestCameraAccess, .requestMicrophoneAccess,
      .requestAlbumAccess, .requestAlbumSelection:
      break
    case .request(let request):
      design.begin(request)
    case .trying(let method, let request):
      design.begin(method, of: request)
    case .answered(let answer):
      design.end(answer.request)
      design.accessAnswer = answer
      if answer.request.target == .camera { design.cameraReport = answer.report }
      if answer.request.target == .microphone { design.microphoneReport = answer.report }
      if case .album = answer.request.target { design.albumReport = answer.report }
    case .watch(let isWatching):
      design.isWatching = isWatching
      if !isWatching { design.gaps = [] }
    case .gaps(let gaps):
      design.gaps = gaps
    case .permissionStatus(let camera, let album):
      design.cameraReport = camera
      design.albumReport = album
    case .microphoneAccess(let report), .microphoneStatus(let report):
      design.microphoneReport = report
    case .cameraAccess(let report):
      design.cameraReport = report
    case .albumAccess(let report):
      design.albumReport = report
    case .albumSelected(let selection):
      design.albumSelection = selection
    }
  }
}

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
  /// If it stayed open, a program that keeps a closed store would keep the device open. An answer
  /// that does not reach the design holds the only token for its descriptor, so that descriptor is
  /// closed as well.
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
        await OneShotTimer.wait(until: .now.advanced(by: interval))
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

extension Feature where B == PermissionsBlueprint {
  /// The feature for the camera, microphone and album permissions, including its adaptor.
  public static var permissions: Feature {
    Feature(PermissionsBlueprint(), adaptors: [PermissionsAdaptor()])
  }
}

extension Bricks {
  /// The blueprint for the camera, microphone and album permissions.
  public var permissions: PermissionsBlueprint {
    get { Self[PermissionsBlueprint.Value.self] }
    set { Self[PermissionsBlueprint.Value.self] = newValue }
  }
}
