internal import AccessModel
internal import DevicePermissions

/// What one line of `devaccess watch --use` is about.
struct UseLine: Sendable {
  /// What the line tells.
  enum Event: String, CaseIterable, Sendable, Encodable {
    /// How things stand when watching begins.
    case state
    /// There is nothing at the path, or no device of the kind, when watching begins.
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
  /// What is known of the device; `nil` for one that is not there.
  let use: UseState?
  let occupation: Occupation?
  let gaps: [Unobserved]

  /// The lines of a change to the use of what is watched, in their order.
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

  /// The kinds without devices.
  private static func missingKinds(
    in facts: UseFacts, _ targets: [Question.Target]
  ) -> [String] {
    targets.compactMap { target in
      guard case .kind(let kind) = target, !facts.devices.contains(where: { $0.kind == kind.name })
      else { return nil }
      return kind.name
    }
  }

  /// The node; `nil` where the line is about a kind without devices.
  var node: String? { device.node.isEmpty ? nil : device.node }

  /// Whether the program gets pictures or sound, or may; `nil` where the line is about none.
  var isUserActive: Bool? {
    guard let user else { return nil }
    return event != .closed && device.isActive(user)
  }

  /// The kind that was asked for, or that the device obviously is.
  var kind: String? { device.kindName }
}

extension DeviceUse {
  /// The kind that was asked for, or that the device obviously is.
  var kindName: String? {
    if let kind { return kind }
    guard let device else { return nil }
    return DeviceKind.all.first { $0.servesOneProgram && !$0.usedDevices(in: [device]).isEmpty }?
      .name
  }
}
