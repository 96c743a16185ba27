internal import AccessModel
internal import LinuxDevices

extension PermissionsService {
  /// Requests access through the first method that gives it, and keeps the descriptor.
  ///
  /// The call tries the methods in the order of ``AccessRoad``. If the device may be opened, the
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
    progress: @escaping @Sendable (AccessRoad) -> Void = { _ in }
  ) async -> AccessAnswer {
    if case .album(let level) = request.target {
      return AlbumWalk(
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
    let walk = RoadWalk(
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
    let answer = await walk.answer(facts, explanation, question)
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
