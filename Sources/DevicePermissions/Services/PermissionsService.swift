public import AccessModel
public import LegoKit
public import LinuxDevices

/// Tells whether this program may use the camera and the photo album, and asks for them.
///
/// A status is what the kernel would answer now; it changes when a group, a list, a session or
/// the hardware does. No privilege is needed. The calls block on the filesystem and on logind
/// for about a millisecond.
///
/// `notDetermined` is the one status that asking can change, and asking always changes it: a
/// program that asks while it sees `notDetermined`, and looks again, comes to an end on every
/// machine. Copies of a service share what their requests came to.
public struct PermissionsService: Service {
  public static let contractor = PermissionsService()

  /// What is observed.
  public var machine: any Machine {
    didSet { request = CameraRequest() }
  }

  private var request = CameraRequest()

  /// A service that observes a machine; the running system unless a test names another.
  public init(machine: any Machine = LinuxMachine()) {
    self.machine = machine
  }

  /// The status of both permissions, without opening anything.
  public func requestStatus() -> (camera: PermissionStatus, album: PermissionStatus) {
    (camera: report(for: Self.camera).status, album: report(for: Self.album).status)
  }

  /// The state of one permission, without opening anything.
  public func report(for question: Question) -> PermissionReport {
    do {
      let explanation = try machine.facts(for: question).explain()
      return question == Self.camera
        ? request.report(for: explanation) : PermissionReport(explanation)
    } catch {
      return PermissionReport(unknownAt: question.path, reason: error.description)
    }
  }

  /// Asks for the camera: `authorized` once it could be opened.
  ///
  /// See ``requestCamera()``, which also says why.
  public func requestCameraAccess() async -> PermissionStatus {
    await requestCamera().status
  }

  /// Asks for the camera, and reports the result.
  ///
  /// Where the status is `notDetermined` because a capability is permitted but not in force, the
  /// camera is opened once with that capability raised, on a thread of its own, and closed: this
  /// can wake it. What comes of it stands until the facts change: once granted,
  /// ``DeviceService/open(_:for:)`` opens the camera, and it stays `authorized`; once refused, it
  /// stays `denied`, and only a new request tries again. In every other state the answer is the
  /// status as it is, and nothing is opened.
  @concurrent
  public func requestCamera() async -> PermissionReport {
    let explanation: Explanation
    do {
      explanation = try machine.facts(for: Self.camera).explain()
    } catch {
      return PermissionReport(unknownAt: nil, reason: error.description)
    }
    let known = request.report(for: explanation)
    guard explanation.status == .notDetermined, known.status != .authorized else { return known }
    let errno: Errno?
    do {
      _ = try await machine.open(explanation.path, for: DeviceKind.camera.needs)
      errno = 0
    } catch {
      errno = error.errno
    }
    let report = PermissionReport(requestOf: explanation.path, errno: errno)
    request.keep(report, for: explanation)
    return report
  }

  /// Asks for the photo album: the status as it is, for what the level needs.
  ///
  /// A directory needs no opening to be used, so nothing is raised and nothing is opened.
  public func requestAlbumAccess(_ level: AlbumAccessLevel) async -> PermissionStatus {
    await requestAlbum(level).status
  }

  /// Asks for the photo album, and reports the result.
  @concurrent
  public func requestAlbum(_ level: AlbumAccessLevel) async -> PermissionReport {
    report(for: level.question)
  }

  /// The state of both permissions: as it is now, and from then on each time one has changed.
  ///
  /// Events of devices, files, sessions, mounts and accounts say when to look, and nothing is done
  /// between them. Everything ends when the iterating task is cancelled.
  public var changes: PermissionChanges {
    PermissionChanges(
      looks: FactsChanges(machine: machine, questions: [Self.camera, Self.album]),
      request: request)
  }

  static let camera = Question(.kind(.camera))
  static let album = Question(.kind(.album))
}

extension Question {
  /// The path that was asked for; `nil` for a kind.
  fileprivate var path: String? {
    guard case .path(let path) = target else { return nil }
    return path
  }
}
