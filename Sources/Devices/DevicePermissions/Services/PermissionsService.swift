public import AccessModel
public import DeviceWatching
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
      asked = PendingQuestions()
    }
  }

  private(set) var requests = AnsweredRequests()
  private(set) var held = HeldAccesses()
  private(set) var asked = PendingQuestions()

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
      return reports.report(facts.confinement, facts.explain())
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
    await ask(Self.camera, methods: [.portal, .capability, .broker])
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
    await ask(Self.microphone, methods: [.capability, .broker])
  }

  /// Requests access if that can change the status.
  private func ask(_ question: Question, methods: Set<AccessMethod>) async -> PermissionReport {
    let facts: AccessFacts
    do {
      facts = try machine.facts(for: question)
    } catch {
      return PermissionReport(unknownAt: nil, reason: error.description)
    }
    let explanation = facts.explain()
    let reports = reports
    let now = reports.now(facts.confinement, explanation)
    let known = reports.known(now, explanation)
    guard now.status == .notDetermined, known.status != .authorized else { return known }
    let methods = AccessMethodRequest(
      machine: machine, request: AccessRequest(methods: methods), held: held, asked: asked
    ) { _ in }
    let answer = await methods.answer(facts, explanation, question)
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
      scans: FactsScans(
        machine: machine, questions: [Self.camera, Self.album, Self.microphone], reportsFirst: true),
      reports: reports)
  }

  /// Creates the reports about devices.
  private var reports: DeviceReports {
    DeviceReports(
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

extension PermissionsService {
  /// Requests access through the first method that gives it, and keeps the descriptor.
  ///
  /// The call tries the methods in the order of ``AccessMethod``. If the device may be opened, the
  /// call opens it without asking the user. The desktop's camera portal may show a dialog, and the
  /// call waits for the answer. The call raises a capability that is permitted but not effective,
  /// for one system call on a separate thread. Last, if the broker is installed, the broker asks an
  /// administrator through polkit, and the call waits for the answer. The call ends within the
  /// timeout of the request plus about a minute for programs that must be started. If the task is
  /// cancelled, the call ends and closes an open dialog.
  ///
  /// Opening a device can wake it. If there are several cameras or microphones, the call prefers
  /// one that no program is using. It opens the next one only if the first turns out to be busy.
  ///
  /// Simultaneous requests that ask a user the same question, with the same timeout, ask it once. A
  /// refusal answers all of them. After consent, each of the others asks in turn, and the portal
  /// answers from its store. Each granted request has its own token.
  ///
  /// For the album, the methods are different: the call opens a usable album, and creates a missing
  /// one in the user's own home directory.
  ///
  /// - Parameters:
  ///   - request: The device or album, with options.
  ///   - progress: Called with each available method before the call tries it.
  /// - Returns: The method that gave access, with the token of the descriptor. If no method did,
  ///   the answer has the reason and the setting that a user can change. A refusal is an answer,
  ///   not an error.
  @concurrent
  public func request(
    _ request: AccessRequest = AccessRequest(),
    progress: @escaping @Sendable (AccessMethod) -> Void = { _ in }
  ) async -> AccessAnswer {
    if case .album(let level) = request.target {
      return AlbumRequest(
        machine: machine, request: request, level: level, held: held, progress: progress
      ).answer()
    }
    let question: Question
    let facts: AccessFacts
    do throws(DeviceError) {
      guard let found = try self.question(of: request) else {
        return AccessAnswer(request: request, trials: [], report: .noSuchDevice)
      }
      question = found
      facts = try machine.facts(for: question)
    } catch {
      return AccessAnswer(
        request: request, trials: [],
        report: PermissionReport(unknownAt: request.path, reason: error.description))
    }
    let methods = AccessMethodRequest(
      machine: machine, request: request, held: held, asked: asked, progress: progress)
    let explanation = facts.explain()
    if let path = request.path, let node = facts.access.object(at: path),
      !node.unobserved.contains(.status), !node.type.isDevice
    {
      // Permissions do not matter here: no change of permissions would make this object a device.
      return AccessAnswer(
        request: request, trials: [], report: PermissionReport(noDeviceAt: path),
        explanation: explanation)
    }
    let answer = await methods.answer(facts, explanation, question)
    requests.keep(answer, to: explanation)
    return answer
  }

  /// Transfers the descriptor of a granted request to the caller.
  ///
  /// - Parameter token: The token of the answer.
  /// - Returns: The descriptor; `nil` if it was taken or closed before. The service keeps the
  ///   newest 16 descriptors that have not been taken, each for as long as a copy of its token
  ///   exists.
  public func take(_ token: AccessToken) -> DeviceAccess? { held.take(token) }

  /// Closes the descriptor of a token; does nothing if it was taken.
  public func discard(_ token: AccessToken) { held.discard(token) }

  /// Returns the question for a requested device; `nil` if no device of its kind has the name.
  private func question(of request: AccessRequest) throws(DeviceError) -> Question? {
    switch request.target {
    case .camera:
      return Question(.kind(.camera), wanted: request.wanted)
    case .microphone:
      return Question(.kind(.microphone), wanted: request.wanted)
    case .path(let path):
      return Question(.path(path), wanted: request.wanted)
    case .album(let level): return level.question
    case .cameraNamed(let name): return try question(of: request, .camera, named: name)
    case .microphoneNamed(let name): return try question(of: request, .microphone, named: name)
    }
  }

  private func question(
    of request: AccessRequest, _ kind: DeviceKind, named name: String
  ) throws(DeviceError) -> Question? {
    let devices = kind.candidates(in: try machine.devices(of: kind))
    let device = devices.first { $0.name?.lowercased() == name.lowercased() }
    return device?.node.map { Question(.path($0), wanted: request.wanted ?? kind.needs) }
  }
}

extension AccessRequest {
  /// The requested path; `nil` for any other target.
  fileprivate var path: String? {
    guard case .path(let path) = target else { return nil }
    return path
  }
}

extension PermissionReport {
  fileprivate static let noSuchDevice = PermissionReport(
    answer: .absent, status: .absent, availability: .absent, certainty: .proven, path: nil,
    cause: .nodeAbsent, reason: "No device of this kind has that name.")
}

extension PermissionsService {
  /// Asks the user to choose files for the limited album, in a dialog of the desktop.
  ///
  /// The file chooser portal (`org.freedesktop.portal.FileChooser`), which the message bus may
  /// start, shows the dialog, with images first. The service stores nothing, and asks again for
  /// each request. The user can choose files outside the pictures directory, and files that this
  /// program is not permitted to read. The service holds each file without opening it
  /// (`O_PATH | O_NOFOLLOW`), and asks the kernel what this process may do with it. In a sandbox,
  /// the document portal shows the files at other paths, such as `/run/user/1000/doc/ID/NAME`; the
  /// result has the paths that the portal reports.
  ///
  /// The call does not change the status of the album. It ends within the timeout of the request
  /// plus about a minute for programs that must be started, or when the task is cancelled. In both
  /// cases, it closes an open dialog.
  ///
  /// - Parameter request: The options of the dialog.
  /// - Returns: The files, or the reason why there are none. A user who chooses nothing is not an
  ///   error.
  @concurrent
  public func requestAlbumSelection(
    _ request: AlbumSelectionRequest = AlbumSelectionRequest()
  ) async -> AlbumSelection {
    func ended(_ outcome: AccessTrial.Outcome, _ reason: String?) -> AlbumSelection {
      AlbumSelection(request, outcome, reason: reason)
    }
    guard let portal = machine.filePortal else {
      return ended(.unavailable, "There is no file chooser portal.")
    }
    var question = request
    question.folder = request.folder ?? albumFolder
    let reply = await portal.choose(question)
    switch reply.outcome {
    case .granted: return selection(request, reply)
    case .refused: return ended(.refused, "No file was chosen: the dialog was cancelled.")
    default:
      let (outcome, reason) = reply.outcome.end(of: "file chooser portal")
      return ended(outcome, reason)
    }
  }

  /// Opens a file of a selection, if the kernel still allows it.
  ///
  /// Only a regular file is ever opened, even if the chosen file was replaced. The call blocks on
  /// the filesystem.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - wanted: Reading, writing or both.
  /// - Throws: `absent` if the file no longer exists, `wrongObject` if it is not a regular file
  ///   (for example, a symbolic link), `refused`, and `failed` otherwise.
  /// - Returns: The open file, which closes on execve(2).
  public func open(
    _ file: SelectedFile, for wanted: Permissions = .read
  ) throws(AlbumError) -> DeviceDescriptor {
    try machine.openSelectedFile(at: file.path, for: wanted)
  }

  /// The pictures directory, where the dialog starts; `nil` if it is unknown.
  private var albumFolder: String? {
    (try? machine.facts(for: AlbumAccessLevel.readWrite.question))?.album?.path
  }

  private func selection(
    _ request: AlbumSelectionRequest, _ reply: PortalFileReply
  ) -> AlbumSelection {
    var selection = AlbumSelection(request, .granted, reason: nil)
    selection.files = reply.paths.map { machine.selectedFile(at: $0) }
    selection.unusable = reply.unusable
    selection.isComplete = reply.isComplete
    if selection.answer != .allowed {
      selection.reason =
        selection.files.isEmpty && selection.unusable.isEmpty
        ? "No file was chosen." : "None of the chosen files can be read."
    }
    return selection
  }
}
