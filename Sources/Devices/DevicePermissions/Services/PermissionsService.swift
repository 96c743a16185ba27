public import AccessModel
public import LegoKit
public import LinuxDevices

/// Reports whether this program may use the camera, the microphone and the photo album, and
/// requests access to them.
///
/// A status is the kernel's current answer. It changes when a group, an access list, a session or
/// the hardware changes and, for a camera, when the answer changes that the desktop's portal
/// stores. No privilege is needed. The calls block on the filesystem, on logind and on the message
/// bus for about a millisecond.
///
/// Only the status `notDetermined` can be changed by a request, and a request always changes it. A
/// program that requests access whenever the status is `notDetermined` therefore does not repeat
/// the request forever. The result of a request applies to the device, no matter whether its kind,
/// its name or its path is used. Results are remembered for the latest 256 devices. Copies of a
/// service share the results of requests and the open descriptors.
public struct PermissionsService: Service {
  public static let contractor = PermissionsService()

  /// The machine to observe.
  public var machine: any Machine {
    didSet {
      requests = AnsweredRequests()
      held = HeldAccesses()
      asked = AskedPersons()
    }
  }

  private(set) var requests = AnsweredRequests()
  private(set) var held = HeldAccesses()
  private(set) var asked = AskedPersons()

  /// Creates a service that observes a machine, by default the running system.
  public init(machine: any Machine = LinuxMachine()) {
    self.machine = machine
  }

  /// Returns the status of the camera and the album, without opening anything.
  public func requestStatus() -> (camera: PermissionStatus, album: PermissionStatus) {
    (camera: report(for: Self.camera).status, album: report(for: Self.album).status)
  }

  /// Returns the state of one permission, without opening a device, asking the user or starting a
  /// service.
  ///
  /// If the node of a camera is refused, the call reads the permission store of the desktop's
  /// camera portal. If the stored answer is `yes`, the status is `authorized`; if there is none,
  /// the status is `notDetermined`. A refused camera or microphone is also `notDetermined` if
  /// `devaccess-broker` is installed, unless the stored answer is `no`. It makes no difference
  /// whether the question names a kind or a path. Each query takes at most two seconds.
  ///
  /// - Parameter question: The question. The results of requests are used only if it is about this
  ///   process.
  /// - Returns: The state.
  public func report(for question: Question) -> PermissionReport {
    do {
      let facts = try machine.facts(for: question)
      guard isRequestable(question) else { return PermissionReport(facts.explain()) }
      return looks.report(facts.confinement, facts.explain())
    } catch {
      return PermissionReport(unknownAt: question.path, reason: error.description)
    }
  }

  /// Requests the camera, and returns `authorized` if it could be opened.
  ///
  /// ``requestCamera()`` also returns the reason.
  public func requestCameraAccess() async -> PermissionStatus {
    await requestCamera().status
  }

  /// Requests the camera, and returns the result.
  ///
  /// If the status is `notDetermined`, the call first asks the desktop's camera portal. Then it
  /// raises a capability that is permitted but not effective, and opens the camera once on a
  /// separate thread. Last, `devaccess-broker` asks an administrator to authenticate. Opening the
  /// camera can wake it. The call closes what it opened; ``request(_:progress:)`` keeps it open.
  ///
  /// The result is valid until the facts change. If access was given, the status remains
  /// `authorized`: ``DeviceService/open(_:for:)`` opens the camera, or the next request gets the
  /// portal's camera. If access was refused, the status remains `denied`, and only a new request
  /// tries again. If the status is anything but `notDetermined`, the call returns it and opens
  /// nothing.
  @concurrent
  public func requestCamera() async -> PermissionReport {
    await ask(Self.camera, roads: [.portal, .capability, .broker])
  }

  /// Requests the microphone, and returns `authorized` if it could be opened.
  ///
  /// ``requestMicrophone()`` also returns the reason.
  public func requestMicrophoneAccess() async -> PermissionStatus {
    await requestMicrophone().status
  }

  /// Requests the microphone, and returns the result.
  ///
  /// The microphone is an ALSA node. If the status is `notDetermined`, the call raises a capability
  /// that is permitted but not effective to open the microphone once, or asks `devaccess-broker`.
  /// The result is valid for as long as the result of ``requestCamera()``. The camera portal has no
  /// microphones.
  @concurrent
  public func requestMicrophone() async -> PermissionReport {
    await ask(Self.microphone, roads: [.capability, .broker])
  }

  /// Requests access if that can change the status.
  private func ask(_ question: Question, roads: Set<AccessRoad>) async -> PermissionReport {
    let facts: AccessFacts
    do {
      facts = try machine.facts(for: question)
    } catch {
      return PermissionReport(unknownAt: nil, reason: error.description)
    }
    let explanation = facts.explain()
    let looks = looks
    let now = looks.now(facts.confinement, explanation)
    let known = looks.known(now, explanation)
    guard now.status == .notDetermined, known.status != .authorized else { return known }
    let walk = RoadWalk(
      machine: machine, request: AccessRequest(roads: roads), held: held, asked: asked
    ) { _ in }
    let answer = await walk.answer(facts, explanation, question)
    if let token = answer.token { held.discard(token) }
    requests.keep(answer, to: explanation)
    return answer.report
  }

  /// Requests the photo album, and returns the status for the given level.
  ///
  /// ``requestAlbum(_:)`` also returns the reason.
  public func requestAlbumAccess(_ level: AlbumAccessLevel) async -> PermissionStatus {
    await requestAlbum(level).status
  }

  /// Requests the photo album, and returns the result.
  ///
  /// If the pictures directory is missing, the call creates it in the user's own home directory. It
  /// changes nothing else, and raises no capability. ``request(_:progress:)`` returns more details,
  /// and keeps the directory open.
  @concurrent
  public func requestAlbum(_ level: AlbumAccessLevel) async -> PermissionReport {
    let answer = await request(AccessRequest(.album(level)))
    if let token = answer.token { discard(token) }
    return answer.report
  }

  /// An asynchronous sequence of the current camera, album and microphone permissions, and then of
  /// each change to them.
  ///
  /// Events of devices, files, sessions, mounts and accounts trigger observations, and nothing is
  /// done between events. If the node of the camera is refused or missing, the sequence also
  /// follows the stored answer of the portal, without starting a service. Watching stops when the
  /// iterating task is cancelled or the iterator is destroyed.
  public var changes: PermissionChanges {
    PermissionChanges(
      looks: FactsChanges(
        machine: machine, questions: [Self.camera, Self.album, Self.microphone], tellsFirst: true),
      deviceLooks: looks)
  }

  /// Creates the reports about devices.
  private var looks: DeviceLooks {
    DeviceLooks(
      portal: machine.cameraPortal, broker: machine.deviceBroker, requests: requests, held: held)
  }

  /// Returns `true` if the results of requests apply to a question, because it is about the use of
  /// a device by this process.
  private func isRequestable(_ question: Question) -> Bool {
    question.target != .kind(.album) && question.purpose == .use
      && question.subject == .ownProcess && question.variation == SubjectVariation()
  }

  static let camera = Question(.kind(.camera))
  static let microphone = Question(.kind(.microphone))
  static let album = Question(.kind(.album))
}

extension Question {
  /// The path in question; `nil` for a kind.
  fileprivate var path: String? {
    guard case .path(let path) = target else { return nil }
    return path
  }
}
