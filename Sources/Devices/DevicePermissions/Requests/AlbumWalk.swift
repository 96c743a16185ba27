public import AccessModel
public import LinuxDevices

/// Performs a request for the album by opening the existing directory or creating it.
struct AlbumWalk {
  let machine: any Machine
  let request: AccessRequest
  let level: AlbumAccessLevel
  let held: HeldAccesses
  /// Called with each available method before it is tried.
  let progress: @Sendable (AccessRoad) -> Void

  /// The result of one observation.
  private struct Look {
    var explanation: Explanation
    var album: AlbumReport
  }

  /// Tries the methods until one gives access to the directory.
  func answer() -> AccessAnswer {
    var answer = AccessAnswer(
      request: request, trials: [], report: PermissionReport(unknownAt: nil, reason: ""))
    do throws(DeviceError) {
      show(try look(), in: &answer)
      for road in AccessRoad.allCases where request.roads.contains(road) {
        guard road == .authorized || road == .creation || request.roads == [road] else { continue }
        let trial = try take(road, &answer)
        answer.trials.append(trial)
        if trial.outcome == .granted {
          answer.road = road
          answer.term = .whileOpen
          return answer
        }
      }
    } catch {
      answer.report = PermissionReport(unknownAt: nil, reason: error.description)
      return answer
    }
    if answer.report.answer != .allowed {
      answer.settings = answer.explanation.flatMap { SettingsLink($0) }
    }
    return answer
  }

  private func look() throws(DeviceError) -> Look {
    let adding = try machine.facts(for: AlbumAccessLevel.addOnly.question)
    let using = try machine.facts(for: AlbumAccessLevel.readWrite.question)
    let path = using.album?.path
    let addingNow = adding.explain()
    let usingNow = using.explain()
    let contents = path.flatMap { machine.albumContents(at: $0) }
    let album = AlbumReport(
      path: path, addOnly: PermissionReport(addingNow).about(directory: path),
      readWrite: PermissionReport(usingNow).about(directory: path).limited(by: contents),
      contents: contents)
    return Look(
      explanation: level == .addOnly ? addingNow : usingNow, album: album)
  }

  private func show(_ look: Look, in answer: inout AccessAnswer) {
    answer.report = look.album[level]
    answer.explanation = look.explanation
    answer.album = look.album
  }

  private func take(
    _ road: AccessRoad, _ answer: inout AccessAnswer
  ) throws(DeviceError) -> AccessTrial {
    guard let path = answer.album?.path else {
      return AccessTrial(road, .unavailable, reason: answer.report.reason)
    }
    switch road {
    case .authorized:
      guard answer.report.answer == .allowed else {
        return AccessTrial(road, .unavailable, reason: answer.report.reason)
      }
      return open(path, road, makes: false, &answer)
    case .creation:
      guard answer.report.cause == .albumDirectoryMissing else {
        return AccessTrial(road, .unavailable, reason: "The pictures directory exists.")
      }
      // Do not announce a creation that is certain to fail. Only the last directory is created.
      if let parent = missingParent(of: path) {
        return AccessTrial(road, .unavailable, reason: "\(parent) does not exist.")
      }
      progress(road)
      let trial = open(path, road, makes: true, &answer)
      if trial.outcome == .granted {
        show(try look(), in: &answer)
        // The new directory may still be refused, such as on a filesystem that stores no modes.
        guard answer.report.answer == .allowed else {
          if let token = answer.token { held.discard(token) }
          answer.token = nil
          return AccessTrial(road, .refused, reason: answer.report.reason)
        }
      }
      return trial
    default:
      return AccessTrial(road, .unavailable, reason: "This method is only for devices.")
    }
  }

  /// Returns the parent directory of a path if it is known not to exist; `nil` otherwise.
  private func missingParent(of path: String) -> String? {
    let names = path.split(separator: "/").dropLast()
    let parent = "/" + names.joined(separator: "/")
    guard !names.isEmpty,
      let facts = try? machine.facts(for: Question(.path(parent), purpose: .search))
    else { return nil }
    return facts.access.decide().rule == .walkNoEntry ? parent : nil
  }

  private func open(
    _ path: String, _ road: AccessRoad, makes: Bool, _ answer: inout AccessAnswer
  ) -> AccessTrial {
    do throws(AlbumError) {
      let directory = try machine.openAlbum(at: path, makes: makes)
      let object = AccessObject(directory: path)
      answer.token = held.keep(
        directory, of: object,
        DeviceAccess.Terms(
          kind: .album(path: path), road: road,
          watch: .device(
            machine, Question(.path(path), wanted: level.permissions), object,
            granted: .authorized)))
      return AccessTrial(road, .granted)
    } catch {
      let outcome: AccessTrial.Outcome =
        switch error.code {
        case .refused, .foreignPlace, .wrongObject: .refused
        case .absent: .unavailable
        default: .failed
        }
      return AccessTrial(road, outcome, reason: "\(error)")
    }
  }
}

/// The limited album, which consists of the files that the user chose for this program.
public struct AlbumSelection: Hashable, Sendable {
  /// The request.
  public var request: AlbumSelectionRequest
  /// The outcome of the dialog; `granted` if the user confirmed it, even if no file can be read.
  public var outcome: AccessTrial.Outcome
  /// The reason why nothing was chosen or can be read, as one sentence; it may contain untrusted
  /// text.
  public var reason: String?
  /// The chosen files without duplicates, in the order of the portal, including those that cannot
  /// be read.
  public var files: [SelectedFile]
  /// The chosen URIs that do not contain a file path.
  public var unusable: [UnusableURI]
  /// A Boolean value that indicates whether all chosen files are included; `false` if there were
  /// more than 1000.
  public var isComplete: Bool

  /// Creates a selection without files.
  init(_ request: AlbumSelectionRequest, _ outcome: AccessTrial.Outcome, reason: String?) {
    self.request = request
    self.outcome = outcome
    self.reason = reason
    files = []
    unusable = []
    isComplete = true
  }

  /// The chosen files that can be read.
  public var readable: [SelectedFile] { files.filter(\.isReadable) }

  /// The answer: `allowed` if there is a file to read, and `refused` if the user chose none.
  public var answer: Answer {
    switch outcome {
    case .granted: files.contains(where: \.isReadable) ? .allowed : .refused
    case .refused, .forbidden: .refused
    case .unavailable: .absent
    case .timedOut, .cancelled, .withheld, .failed: .undetermined
    }
  }

  /// The status of the album, judged only by this selection.
  ///
  /// The status is `limited` if a file can be read, `denied` if none of the chosen files can be
  /// read, and `notDetermined` if the user chose nothing and can be asked again.
  public var status: PermissionStatus {
    switch outcome {
    case .granted where answer == .allowed: .limited
    case .granted: files.isEmpty && unusable.isEmpty ? .notDetermined : .denied
    case .refused: .notDetermined
    case .forbidden: .restricted
    case .unavailable: .absent
    case .timedOut, .cancelled, .withheld, .failed: .unknown
    }
  }
}

/// The options of the dialog in which the user chooses files of the album.
public struct AlbumSelectionRequest: Hashable, Sendable {
  /// The title of the dialog.
  public var title: String
  /// The label of the button that confirms the choice, in which `_` marks the access key; `nil` for
  /// the desktop's own label.
  public var acceptLabel: String?
  /// The absolute path of the directory that the dialog shows first; `nil` for the pictures
  /// directory.
  public var folder: String?
  /// The longest time to wait for the user, and for the programs that ask the user.
  public var timeout: Duration
  /// The application identifier to register with the portal; `nil` to leave it to the portal.
  public var application: String?

  /// Creates a request.
  public init(
    title: String = "Choose pictures", acceptLabel: String? = nil, folder: String? = nil,
    timeout: Duration = .seconds(600), application: String? = nil
  ) {
    self.title = title
    self.acceptLabel = acceptLabel
    self.folder = folder
    self.timeout = timeout
    self.application = application
  }
}
