internal import AccessModel
internal import LinuxDevices

extension RoadWalk {
  /// Asks the broker to open the device, if a broker exists and the device is refused.
  ///
  /// - Parameters:
  ///   - explanation: The current access to the device.
  ///   - trials: The previous attempts.
  /// - Returns: The result of the attempt.
  func askBroker(_ explanation: Explanation, after trials: [AccessTrial]) async -> Result {
    func ended(_ outcome: AccessTrial.Outcome, _ reason: String? = nil) -> Result {
      Result(trial: AccessTrial(.broker, outcome, reason: reason))
    }
    guard explanation.answer == .refused else {
      return ended(
        .unavailable, "The broker is asked only if access to an existing device is refused.")
    }
    // The broker must not bypass the confinement of this program.
    guard explanation.status != .restricted else {
      return ended(.unavailable, "No user may open the device here, so the broker is not asked.")
    }
    guard let question = BrokerRequest(explanation, timeout: request.timeout) else {
      return ended(.unavailable, "The broker is only for devices.")
    }
    // An administrator is not asked about a request that the user has just declined.
    guard !trials.contains(where: { $0.road == .portal && $0.outcome == .refused }) else {
      return ended(.unavailable, "The broker is not asked after the portal refused.")
    }
    guard let broker = machine.deviceBroker, await isAvailable(broker) else {
      return ended(.unavailable, "No device broker is installed or running.")
    }
    progress(.broker)
    let outcome: BrokerOutcome
    var opened: DeviceDescriptor?
    switch await asked.byBroker.turn(to: question) {
    case .answered(let other): outcome = other
    case .cancelled: outcome = .cancelled
    case .ask(let waited):
      var rest = question
      rest.timeout -= waited
      let reply = await broker.open(rest)
      outcome = reply.outcome
      asked.byBroker.end(question, with: outcome.isOfAll ? outcome : nil)
      opened = reply.takeDescriptor()
    }
    switch outcome {
    case .granted: break
    case .refused: return ended(.refused, "polkit refused the request.")
    case .dismissed: return ended(.refused, "The dialog was dismissed.")
    case .unsuitable(let reason):
      return ended(.unavailable, "The broker did not open the device: \(reason).")
    case .absent(let reason): return ended(.unavailable, "The broker cannot help: \(reason).")
    case .timedOut: return ended(.timedOut, "The dialog timed out without an answer.")
    case .cancelled: return ended(.cancelled)
    case .failed(let reason): return ended(.failed, "The broker failed: \(reason).")
    }
    guard let descriptor = opened.take() else {
      return ended(.failed, "The broker returned no descriptor.")
    }
    return Result(
      trial: AccessTrial(.broker, .granted),
      report: PermissionReport(requestOf: question.path, errno: 0),
      descriptor: descriptor, kind: .device(path: question.path))
  }

  /// Checks the broker off the caller's executor, because the check blocks.
  @concurrent
  private func isAvailable(_ broker: any DeviceBroker) async -> Bool { broker.isAvailable }
}

extension BrokerRequest {
  /// Creates the request for a refused device; `nil` if the broker cannot help.
  ///
  /// The broker cannot help with other objects, or with a device that no user may open.
  init?(_ explanation: Explanation, timeout: Duration = .seconds(120)) {
    guard explanation.answer == .refused, explanation.status != .restricted,
      let device = explanation.device, let node = device.node, let number = device.number
    else { return nil }
    self.init(path: node, device: number, wanted: explanation.wanted, timeout: timeout)
  }
}

extension BrokerOutcome {
  /// A Boolean value that indicates whether the outcome also answers other callers with the same
  /// request.
  ///
  /// A descriptor and a cancelled task belong to only one caller.
  fileprivate var isOfAll: Bool { self != .granted && self != .cancelled }
}
