public import AccessModel
public import LegoKit

/// The part of a store that holds the state of the camera, microphone and album permissions.
///
/// A ``PermissionsAdaptor`` answers its requests.
public struct PermissionsBlueprint: Blueprint {
  public static let brick = PermissionsBlueprint()

  public struct Design: Equatable, Sendable {
    /// Everything known about the camera; `nil` until it was asked for.
    public var cameraReport: PermissionReport?
    /// Everything known about what was last asked of the album: all of it, or one level.
    public var albumReport: PermissionReport?
    /// Everything known about the microphone; `nil` until it was asked for.
    public var microphoneReport: PermissionReport?
    /// Whether the reports are kept true, because somebody looks at them.
    public var isWatching = false
    /// What is not told by events while they are, and so is looked at once a second: the reports may be
    /// that old, and up to ten seconds where looks fail.
    public var gaps: [Unobserved] = []

    /// The road that a request tries now; `nil` while none is on its way, or none has come to a road.
    ///
    /// Of several requests it is the road that was begun last.
    public var road: AccessRoad? { underway.last { $0.road != nil }?.road }
    /// The requests that are on their way, the one that began a road last at the end.
    private var underway: [Underway] = []
    /// The answer to the last ``PermissionsBlueprint/Change/request(_:)``, with the token of its descriptor,
    /// which is closed with the store, and with the next answer, unless it is taken or the token kept.
    public var accessAnswer: AccessAnswer?

    /// The files that a person has chosen last; `nil` until they were asked for.
    public var albumSelection: AlbumSelection?

    /// The status in ``cameraReport``; `nil` until it was asked for.
    public var camera: PermissionStatus? { cameraReport?.status }
    /// The status in ``microphoneReport``; `nil` until it was asked for.
    public var microphone: PermissionStatus? { microphoneReport?.status }
    /// The status in ``albumReport``; `nil` until it was asked for.
    public var album: PermissionStatus? { albumReport?.status }

    /// Creates the state in which nothing has been asked.
    public init() {}

    private struct Underway: Equatable, Sendable {
      let request: AccessRequest
      var road: AccessRoad?
    }

    fileprivate mutating func begin(_ request: AccessRequest) {
      underway.append(Underway(request: request))
    }

    /// Nothing tells equal requests apart: one that is not there yet has come to the road.
    fileprivate mutating func begin(_ road: AccessRoad, of request: AccessRequest) {
      let index =
        underway.firstIndex { $0.request == request && $0.road != road }
        ?? underway.firstIndex { $0.request == request }
      if let index { underway.remove(at: index) }
      underway.append(Underway(request: request, road: road))
    }

    fileprivate mutating func end(_ request: AccessRequest) {
      guard let index = underway.lastIndex(where: { $0.request == request }) else { return }
      underway.remove(at: index)
    }
  }

  public enum Change: Equatable, Sendable {
    /// Asks how camera, album and microphone stand, without trying to get access.
    case requestPermissionStatus
    /// Asks for access to the camera.
    case requestCameraAccess
    /// Asks for access to the microphone.
    case requestMicrophoneAccess
    /// Asks for a device or the album, to use it: the answer holds a token, and the service the descriptor.
    case request(AccessRequest)
    /// Asks for access to the album at one level.
    case requestAlbumAccess(AlbumAccessLevel)
    /// Has a person choose files of the album.
    case requestAlbumSelection(AlbumSelectionRequest)
    /// Keeps all reports true from now on, or no longer.
    case watch(Bool)
    /// Answers ``requestPermissionStatus`` with the reports of camera and album.
    case permissionStatus(camera: PermissionReport, album: PermissionReport)
    /// Answers ``requestPermissionStatus`` with the report of the microphone.
    case microphoneStatus(PermissionReport)
    /// Tells what is not told by events while the reports are kept true.
    case gaps([Unobserved])
    /// Answers ``requestCameraAccess`` with the report of the camera.
    case cameraAccess(PermissionReport)
    /// Answers ``requestMicrophoneAccess`` with the report of the microphone.
    case microphoneAccess(PermissionReport)
    /// Tells which road a ``request(_:)`` tries.
    case trying(AccessRoad, for: AccessRequest)
    /// Answers ``request(_:)``.
    case answered(AccessAnswer)
    /// Answers ``requestAlbumAccess(_:)`` with the report of that level.
    case albumAccess(PermissionReport)
    /// Answers ``requestAlbumSelection(_:)``.
    case albumSelected(AlbumSelection)

    /// The change for two bare statuses.
    public static func permissionStatus(
      camera: PermissionStatus, album: PermissionStatus
    ) -> Change {
      .permissionStatus(camera: PermissionReport(camera), album: PermissionReport(album))
    }

    /// The change for a bare status.
    public static func cameraAccess(_ status: PermissionStatus) -> Change {
      .cameraAccess(PermissionReport(status))
    }

    /// The change for a bare status.
    public static func albumAccess(_ status: PermissionStatus) -> Change {
      .albumAccess(PermissionReport(status))
    }
  }

  /// Creates the blueprint, which has no state of its own.
  public init() {}

  public func change(_ design: inout Design, on change: Change) {
    switch change {
    case .requestPermissionStatus, .requestCameraAccess, .requestMicrophoneAccess,
      .requestAlbumAccess, .requestAlbumSelection:
      break
    case .request(let request):
      design.begin(request)
    case .trying(let road, let request):
      design.begin(road, of: request)
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
