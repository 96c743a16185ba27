internal import AccessModel
internal import LinuxDevices

extension PermissionsService {
  /// Leads to access through the first road that does, and keeps the descriptor.
  ///
  /// The roads are tried in the order of ``AccessRoad``: a device that may be opened as it is, is
  /// opened, and nobody is asked; the desktop's camera portal may show a dialog, for which the call
  /// waits; a capability that is permitted and not in force is raised for one system call, on a thread
  /// of its own; at last the broker, where it is installed, has polkit ask an administrator, which the
  /// call waits for. The call ends within the timeout of the request and about a minute for programs
  /// that have to be started, and with the task, which takes an open dialog back.
  ///
  /// Opening a device can wake it. Of several cameras or microphones one is opened that no program
  /// uses, where there is one, and the next one only where that turns out to be busy.
  ///
  /// Requests that come to the same question for a person at the same time, with the same timeout, put
  /// it once: a no is the answer to all of them, and after a yes each of the others asks in its turn,
  /// which the portal answers from its store. Each request that is granted has a token of its own.
  ///
  /// For the album there are other roads: one that may be used is opened, and a missing one is created
  /// in the person's own home directory.
  ///
  /// - Parameters:
  ///   - request: What to ask for.
  ///   - progress: Called with each road that is there, before it is tried.
  /// - Returns: The road that led to access, with the token of the descriptor; without one, why, and
  ///   where a person changes that. A refusal is an answer, not an error.
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
      // Whatever its permissions: a fix of them would help no request.
      return AccessAnswer(
        request: request, trials: [], report: PermissionReport(noDeviceAt: path),
        explanation: explanation)
    }
    let answer = await walk.answer(facts, explanation, question)
    requests.keep(answer, to: explanation)
    return answer
  }

  /// Hands over the descriptor that a request has led to.
  ///
  /// - Parameter token: The token of the answer.
  /// - Returns: The descriptor; `nil` where it was taken or discarded before. Of those that nobody
  ///   takes, the newest 16 are kept, each for as long as a copy of its token is.
  public func take(_ token: AccessToken) -> DeviceAccess? { held.take(token) }

  /// Closes a descriptor that nobody has taken; nothing happens where somebody has.
  public func discard(_ token: AccessToken) { held.discard(token) }

  /// The question of a request for a device; `nil` where none of its kind has the name.
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
  /// The path that is asked for; `nil` for a device that has to be found.
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
