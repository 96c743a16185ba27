internal import AccessModel
internal import DevicePermissions

/// The lines of `devaccess watch --use`.
struct UseEvents {
  let changes: UseChanges
  let targets: [Question.Target]
  let run: CommandRun
  let takers: WatchedEvent.EventConsumers

  /// Passes each change to a closure, along with its lines.
  func report(to body: (UseChange, [WatchedEvent]) throws -> Void) async throws {
    var gaps = GapReport(run)
    for try await change in changes {
      gaps.report(change.gaps)
      let lines = UseLine.all(change, of: targets, at: Timestamp.now)
      try body(change, lines.map { line in try event(line) })
    }
  }

  private func event(_ line: UseLine) throws -> WatchedEvent {
    try WatchedEvent(
      for: takers, text: UseLineText(line: line, style: run.style).text, json: UseLineOutput(line),
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
