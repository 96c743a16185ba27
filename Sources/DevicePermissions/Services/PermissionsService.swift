public import AccessModel
public import LegoKit
public import LinuxDevices

/// Tells whether this program may use the camera and the photo album, and asks for them.
///
/// A status is what the kernel would answer now; it changes when a group, a list, a session or
/// the hardware does. No privilege is needed. The calls block on the filesystem and on logind
/// for about a millisecond.
public struct PermissionsService: Service {
  public static let contractor = PermissionsService()

  /// What is observed.
  public var machine: any Machine

  /// A service that observes a machine; the running system unless a test names another.
  public init(machine: any Machine = LinuxMachine()) {
    self.machine = machine
  }

  /// The status of both permissions, without opening anything.
  ///
  /// Where nothing can be derived, because there is no camera or the facts do not suffice, the
  /// status is `notDetermined`; ``report(for:)`` tells the difference.
  public func requestStatus() -> (camera: PermissionStatus, album: PermissionStatus) {
    (
      camera: report(for: Question(.kind(.camera))).status ?? .notDetermined,
      album: report(for: Question(.kind(.album))).status ?? .notDetermined
    )
  }

  /// The state of one permission, without opening anything.
  public func report(for question: Question) -> PermissionReport {
    do {
      return PermissionReport(try machine.facts(for: question).explain())
    } catch {
      return PermissionReport(undecidedAt: question.path ?? "", reason: error.description)
    }
  }

  /// Asks for the camera: `authorized` once it could be opened.
  ///
  /// Where the status is `notDetermined` because a capability is permitted but not in force, the
  /// camera is opened once with that capability raised, on a thread of its own, and closed: this
  /// can wake it. A camera that is busy or went meanwhile leaves the status as it was. In every
  /// other state the answer is the status as it is, and nothing is opened.
  public func requestCameraAccess() async -> PermissionStatus {
    let report = report(for: Question(.kind(.camera)))
    guard report.status == .notDetermined else { return report.status ?? .notDetermined }
    do {
      _ = try await machine.open(report.path, for: DeviceKind.camera.needs)
      return .authorized
    } catch {
      return Self.status(after: error, else: report.status)
    }
  }

  /// The status when the open failed: a refusal is `denied`; a device that is busy or gone says
  /// nothing about permission, so the status stays what it was.
  private static func status(
    after error: DeviceError, else status: PermissionStatus?
  ) -> PermissionStatus {
    let isRefusal =
      error.errno.map { [ErrorNumber.notPermitted, ErrorNumber.accessDenied].contains($0) } ?? false
    return isRefusal ? .denied : status ?? .notDetermined
  }

  /// Asks for the photo album: the status as it is, for what the level needs.
  ///
  /// A directory needs no opening to be used, so nothing is raised and nothing is opened.
  public func requestAlbumAccess(_ level: AlbumAccessLevel) async -> PermissionStatus {
    report(for: level.question).status ?? .notDetermined
  }
}

extension Question {
  /// The path that was asked for; `nil` for a kind.
  var path: String? {
    guard case .path(let path) = target else { return nil }
    return path
  }
}
