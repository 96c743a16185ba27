internal import AccessModel
internal import DevicePermissions

/// The lines of `devaccess watch --use`.
struct UseEvents {
  let changes: UseChanges
  let targets: [Question.Target]
  let run: CommandRun
  let takers: WatchedEvent.Takers

  /// Hands over each change as it comes, with its lines.
  func report(to body: (UseChange, [WatchedEvent]) throws -> Void) async throws {
    var gaps = GapReport(run)
    for try await change in changes {
      gaps.report(change.gaps)
      if change.isFirst, !run.json { reportMissingKinds(change.facts) }
      let lines = UseLine.all(change, at: Timestamp.now)
      try body(change, lines.map { line in try event(line) })
    }
  }

  private func event(_ line: UseLine) throws -> WatchedEvent {
    try WatchedEvent(
      for: takers, text: UseLineText(line: line, style: run.style).text, json: UseLineOutput(line),
      variables: variables(line))
  }

  /// A kind without devices has no line.
  private func reportMissingKinds(_ facts: UseFacts) {
    for target in targets {
      guard case .kind(let kind) = target, !facts.devices.contains(where: { $0.kind == kind.name })
      else { continue }
      run.streams.report("no \(kind.name) yet: waiting for one")
    }
  }

  private func variables(_ line: UseLine) -> KeyValuePairs<String, String?> {
    var process: HoldingProcess?
    if case .holder(let holder) = line.user { process = holder.process }
    return [
      "EVENT": line.event.rawValue,
      "TIME": line.time.text,
      "PATH": line.device.node,
      "KIND": line.kind,
      "NAME": line.device.device?.name.map { Escaped($0).description },
      "USE": line.use?.rawValue,
      "OCCUPATION": line.occupation?.rawValue,
      "PROGRAM": line.user?.name.map { Escaped($0, limit: 64).description },
      "PID": line.user?.processID.map { String($0) },
      "USER": process?.userName.map { Escaped($0, limit: 64).description },
      "APPLICATION": line.user?.application.map { Escaped($0, limit: 128).description },
      "UNIT": process?.unit.map { Escaped($0, limit: 128).description },
      "ACTIVE": line.user.map { line.device.isActive($0) ? "1" : "0" },
    ]
  }
}
