internal import AccessModel
internal import DeviceWatching
internal import LinuxDevices

/// Performs a request for the album by opening the existing directory or creating it.
struct AlbumRequest {
  let machine: any Machine
  let request: AccessRequest
  let level: AlbumAccessLevel
  let held: HeldAccesses
  /// Called with each available method before it is tried.
  let progress: @Sendable (AccessMethod) -> Void

  /// The result of one observation.
  private struct Scan {
    var explanation: Explanation
    var album: AlbumReport
  }

  /// Tries the methods until one gives access to the directory.
  func answer() -> AccessAnswer {
    var answer = AccessAnswer(
      request: request, trials: [], report: PermissionReport(unknownAt: nil, reason: ""))
    do throws(DeviceError) {
      show(try scan(), in: &answer)
      for method in AccessMethod.allCases where request.methods.contains(method) {
        guard method == .authorized || method == .creation || request.methods == [method] else {
          continue
        }
        let trial = try take(method, &answer)
        answer.trials.append(trial)
        if trial.outcome == .granted {
          answer.method = method
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

  private func scan() throws(DeviceError) -> Scan {
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
    return Scan(
      explanation: level == .addOnly ? addingNow : usingNow, album: album)
  }

  private func show(_ scan: Scan, in answer: inout AccessAnswer) {
    answer.report = scan.album[level]
    answer.explanation = scan.explanation
    answer.album = scan.album
  }

  private func take(
    _ method: AccessMethod, _ answer: inout AccessAnswer
  ) throws(DeviceError) -> AccessTrial {
    guard let path = answer.album?.path else {
      return AccessTrial(method, .unavailable, reason: answer.report.reason)
    }
    switch method {
    case .authorized:
      guard answer.report.answer == .allowed else {
        return AccessTrial(method, .unavailable, reason: answer.report.reason)
      }
      return open(path, method, makes: false, &answer)
    case .creation:
      guard answer.report.cause == .albumDirectoryMissing else {
        return AccessTrial(method, .unavailable, reason: "The pictures directory exists.")
      }
      // Do not announce a creation that is certain to fail. Only the last directory is created.
      if let parent = missingParent(of: path) {
        return AccessTrial(method, .unavailable, reason: "\(parent) does not exist.")
      }
      progress(method)
      let trial = open(path, method, makes: true, &answer)
      if trial.outcome == .granted {
        show(try scan(), in: &answer)
        // The new directory may still be refused, such as on a filesystem that stores no modes.
        guard answer.report.answer == .allowed else {
          if let token = answer.token { held.discard(token) }
          answer.token = nil
          return AccessTrial(method, .refused, reason: answer.report.reason)
        }
      }
      return trial
    default:
      return AccessTrial(method, .unavailable, reason: "This method is only for devices.")
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
    _ path: String, _ method: AccessMethod, makes: Bool, _ answer: inout AccessAnswer
  ) -> AccessTrial {
    do throws(AlbumError) {
      let directory = try machine.openAlbum(at: path, makes: makes)
      let object = AccessObject(directory: path)
      answer.token = held.keep(
        directory, of: object,
        DeviceAccess.Terms(
          kind: .album(path: path), method: method,
          watch: .device(
            machine, Question(.path(path), wanted: level.permissions), object,
            granted: .authorized)))
      return AccessTrial(method, .granted)
    } catch {
      let outcome: AccessTrial.Outcome =
        switch error.code {
        case .refused, .foreignPlace, .wrongObject: .refused
        case .absent: .unavailable
        default: .failed
        }
      return AccessTrial(method, outcome, reason: "\(error)")
    }
  }
}
