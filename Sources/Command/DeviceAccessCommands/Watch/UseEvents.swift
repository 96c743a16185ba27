internal import AccessModel
internal import DevicePermissions

/// The lines of `devaccess watch --use`.
struct UseEvents {
  let changes: UseChanges
  let targets: [Question.Target]
  let context: CommandRun
  let consumers: WatchedEvent.EventConsumers

  /// Passes each change to a closure, along with its lines.
  func report(to body: (UseChange, [WatchedEvent]) throws -> Void) async throws {
    var gaps = GapReport(context)
    for try await change in changes {
      gaps.report(change.gaps)
      let lines = UseLine.all(change, of: targets, at: Timestamp.now)
      try body(change, lines.map { line in try event(line) })
    }
  }

  private func event(_ line: UseLine) throws -> WatchedEvent {
    try WatchedEvent(
      for: consumers, text: UseLineText(line: line, style: context.style).text,
      json: UseLineOutput(line),
      variables: variables(line))
  }

  private func variables(_ line: UseLine) -> KeyValuePairs<String, String?> {
    let process = line.user?.process
    return [
      "EVENT": line.event.rawValue,
      "TIME": line.time.text,
      "PATH": line.node,
      "KIND": line.kind,
      "NAME": line.device.device?.name.map { Escaped($0).description },
      "USE": line.use?.rawValue,
      "OCCUPATION": line.occupation?.rawValue,
      "PROGRAM": line.user?.name.map { Escaped($0, limit: 64).description },
      "PID": line.user?.processID.map { String($0) },
      "USER": process?.userName.map { Escaped($0, limit: 64).description },
      "APPLICATION": line.user?.application.map { Escaped($0, limit: 128).description },
      "UNIT": process?.unit.map { Escaped($0, limit: 128).description },
      "ACTIVE": line.isUserActive.map { $0 ? "1" : "0" },
    ]
  }
}

/// The content of one line of `devaccess watch --use`.
struct UseLine: Sendable {
  /// The event that the line reports.
  enum Event: String, CaseIterable, Sendable, Encodable {
    /// The initial state of a device.
    case state
    /// The path does not exist, or the kind has no device, when watching begins.
    case absent
    case added, removed, opened, closed, hidden, executed, started, stopped, unknown, free

    init(_ action: UseEvent.Action) {
      self =
        switch action {
        case .added: .added
        case .removed: .removed
        case .opened: .opened
        case .closed: .closed
        case .hidden: .hidden
        case .executed: .executed
        case .started: .started
        case .stopped: .stopped
        case .unknown: .unknown
        case .free: .free
        }
    }
  }

  let event: Event
  let time: Timestamp
  let device: DeviceUse
  let user: DeviceUser?
  /// The state of the device's use; `nil` if the device does not exist.
  let use: UseState?
  let occupation: Occupation?
  let gaps: [Unobserved]

  /// Returns the lines for a change, in order.
  static func all(
    _ change: UseChange, of targets: [Question.Target], at time: Timestamp
  ) -> [UseLine] {
    func line(_ event: Event, _ device: DeviceUse, _ user: DeviceUser? = nil) -> UseLine {
      let isThere = event != .removed && event != .absent
      return UseLine(
        event: event, time: time, device: device, user: user,
        use: isThere ? change.facts.state(of: device) : nil,
        occupation: isThere ? change.facts.occupation(of: device) : nil, gaps: change.gaps)
    }
    guard change.isFirst else {
      return change.events.map { line(Event($0.action), $0.device, $0.user) }
    }
    return change.facts.devices.map { line(.state, $0) }
      + change.absentPaths.map { line(.absent, DeviceUse(node: $0)) }
      + missingKinds(in: change.facts, targets).map { line(.absent, DeviceUse(node: "", kind: $0)) }
  }

  /// Returns the names of the requested kinds that have no device.
  private static func missingKinds(
    in facts: UseFacts, _ targets: [Question.Target]
  ) -> [String] {
    targets.compactMap { target in
      guard case .kind(let kind) = target, !facts.devices.contains(where: { $0.kind == kind.name })
      else { return nil }
      return kind.name
    }
  }

  /// The path of the node; `nil` if the line is about a kind without devices.
  var node: String? { device.node.isEmpty ? nil : device.node }

  /// A Boolean value that indicates whether the program gets, or may get, pictures or sound.
  ///
  /// The value is `nil` if the line is not about a program.
  var isUserActive: Bool? {
    guard let user else { return nil }
    return event != .closed && device.isActive(user)
  }

  /// The requested kind, or else the apparent kind of the device.
  var kind: String? { device.kindName }
}

extension DeviceUse {
  /// The requested kind, or else the apparent kind of the device.
  var kindName: String? {
    if let kind { return kind }
    guard let device else { return nil }
    return DeviceKind.all.first { $0.servesOneProgram && !$0.usedDevices(in: [device]).isEmpty }?
      .name
  }
}
