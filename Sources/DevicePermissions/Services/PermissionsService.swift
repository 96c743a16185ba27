public import AccessModel
public import LegoKit
public import LinuxDevices

/// Tells whether this program may use the camera, the microphone and the photo album, and asks for
/// them.
///
/// A status is what the kernel would answer now; it changes when a group, a list, a session or
/// the hardware does, and for the camera with the answer that a desktop's portal stores. No privilege
/// is needed. The calls block on the filesystem, on logind and on the message bus for about a
/// millisecond.
///
/// `notDetermined` is the one status that asking can change, and asking always changes it: a
/// program that asks while it sees `notDetermined`, and looks again, comes to an end on every
/// machine. What a request came to is known of the device, whether its kind, its name or its path is
/// asked for; of more than 256 devices the latest are remembered. Copies of a service share what their
/// requests came to, and what they hold.
public struct PermissionsService: Service {
  public static let contractor = PermissionsService()

  /// What is observed.
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

  /// A service that observes a machine; the running system unless a test names another.
  public init(machine: any Machine = LinuxMachine()) {
    self.machine = machine
  }

  /// The status of camera and album, without opening anything.
  public func requestStatus() -> (camera: PermissionStatus, album: PermissionStatus) {
    (camera: report(for: Self.camera).status, album: report(for: Self.album).status)
  }

  /// The state of one permission, without opening, asking or starting anything.
  ///
  /// Where the node of a camera is refused, the permission store of the desktop's camera portal is
  /// looked at: an answer yes in it is `authorized`, and where it holds none, the status is
  /// `notDetermined`. So is that of a camera or a microphone that is refused where `devaccess-broker`
  /// is installed and the portal holds no no. It makes no difference whether the question names a kind
  /// or a path. Each look takes two seconds at most.
  ///
  /// - Parameter question: The question; what requests came to counts where it is about this process.
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

  /// Asks for the camera: `authorized` once it could be opened.
  ///
  /// See ``requestCamera()``, which also says why.
  public func requestCameraAccess() async -> PermissionStatus {
    await requestCamera().status
  }

  /// Asks for the camera, and reports the result.
  ///
  /// Where the status is `notDetermined`, the desktop's camera portal is asked, then a capability
  /// that is permitted and not in force is raised to open the camera once, on a thread of its own, and
  /// at last `devaccess-broker` has an administrator authenticate: this can wake it. What was opened is closed again; ``request(_:progress:)`` keeps it. The result
  /// stands until the facts change: once granted, ``DeviceService/open(_:for:)`` opens the camera, or
  /// the next request the portal's, and it stays `authorized`; once refused, it stays `denied`, and
  /// only a new request tries again. In every other state the answer is the status as it is, and
  /// nothing is opened.
  @concurrent
  public func requestCamera() async -> PermissionReport {
    await ask(Self.camera, roads: [.portal, .capability, .broker])
  }

  /// Asks for the microphone: `authorized` once it could be opened.
  ///
  /// See ``requestMicrophone()``, which also says why.
  public func requestMicrophoneAccess() async -> PermissionStatus {
    await requestMicrophone().status
  }

  /// Asks for the microphone, and reports the result.
  ///
  /// It is about the nodes of ALSA. Where the status is `notDetermined`, a capability that is permitted
  /// and not in force is raised to open the microphone once, or `devaccess-broker` is asked; the result stands as that of
  /// ``requestCamera()`` does. The portal of cameras has none.
  @concurrent
  public func requestMicrophone() async -> PermissionReport {
    await ask(Self.microphone, roads: [.capability, .broker])
  }

  /// Asks where asking can change the status.
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

  /// Asks for the photo album: the status for what the level needs.
  ///
  /// See ``requestAlbum(_:)``, which also says why.
  public func requestAlbumAccess(_ level: AlbumAccessLevel) async -> PermissionStatus {
    await requestAlbum(level).status
  }

  /// Asks for the photo album, and reports the result.
  ///
  /// A missing pictures directory is created in the person's own home directory; nothing else is
  /// changed or raised. ``request(_:progress:)`` tells more, and keeps the directory open.
  @concurrent
  public func requestAlbum(_ level: AlbumAccessLevel) async -> PermissionReport {
    let answer = await request(AccessRequest(.album(level)))
    if let token = answer.token { discard(token) }
    return answer.report
  }

  /// The state of camera, album and microphone: as it is now, and from then on each time one has
  /// changed.
  ///
  /// Events of devices, files, sessions, mounts and accounts say when to look, and nothing is done
  /// between them. Where the node of the camera is refused, or there is none, the portal's stored answer
  /// is followed too, for which nothing is started. Everything ends when the iterating task is cancelled.
  public var changes: PermissionChanges {
    PermissionChanges(
      looks: FactsChanges(
        machine: machine, questions: [Self.camera, Self.album, Self.microphone], tellsFirst: true),
      deviceLooks: looks)
  }

  /// How the facts of a device become a report.
  private var looks: DeviceLooks {
    DeviceLooks(
      portal: machine.cameraPortal, broker: machine.deviceBroker, requests: requests, held: held)
  }

  /// Whether requests make a difference: they open devices, and for this process alone.
  private func isRequestable(_ question: Question) -> Bool {
    question.target != .kind(.album) && question.purpose == .use
      && question.subject == .ownProcess && question.variation == SubjectVariation()
  }

  static let camera = Question(.kind(.camera))
  static let microphone = Question(.kind(.microphone))
  static let album = Question(.kind(.album))
}

extension Question {
  /// The path that was asked for; `nil` for a kind.
  fileprivate var path: String? {
    guard case .path(let path) = target else { return nil }
    return path
  }
}
