internal import AccessModel
internal import DevicePermissions
internal import LinuxDevices

/// The conditions and the time limit of `devaccess check --wait` or `--free`.
struct WaitGoal: Hashable, Sendable {
  /// The time limit; `nil` for none, and zero for a single check.
  var limit: Duration?
  /// A Boolean value that indicates whether the device must also be free of other programs.
  var needsFree = false
  /// The devices to open; unless the value is `none`, opening them must succeed.
  var probing = Probing.none
}

/// A wait until access is allowed and the device can be used as the goal requires.
struct Wait: Sendable {
  let question: Question
  let goal: WaitGoal
  let service: DeviceService
  let usage: DeviceUsageService

  /// The result of one attempt to use the device.
  private enum Attempt {
    case succeeded
    /// Access is allowed, but another process is using the device.
    case hindered
    /// Access is allowed, but the device cannot be opened for an unknown reason.
    case unopened
    /// Access is allowed, but the device was not opened because opening it has side effects.
    case withheld
    /// Access is no longer allowed.
    case refused
  }

  /// Receives an answer, and the facts that are polled because no event reports their changes.
  typealias Report = (AnsweredFacts, [Unobserved]) -> Void

  /// Waits until the goal is reached or the time is up, and reports each answer.
  ///
  /// - Returns: The last answer.
  func run(_ report: Report) async throws(DeviceError) -> AnsweredFacts {
    var last: AnsweredFacts?
    try await wait {
      last = $0
      report($0, $1)
    }
    if let last { return last }
    // Nothing was reported: the task was cancelled, or the time was up after access was lost.
    return try await checkOnce()
  }

  /// Returns the answer without waiting, and therefore without a watcher and its thread.
  private func checkOnce() async throws(DeviceError) -> AnsweredFacts {
    let facts = try await service.facts(for: question)
    let targets = goal.needsFree || goal.probing.isOn ? targets(facts) : []
    return attempt(facts, using: nil, targets).answer
  }

  private func wait(_ report: Report) async throws(DeviceError) {
    if goal.limit == .zero {
      report(try await checkOnce(), [])
      return
    }
    let end = goal.limit.map { ContinuousClock.now.advanced(by: $0) }
    repeat {
      guard let answer = try await untilAllowed(before: end, report) else { return }
      let targets = targets(answer.facts)
      guard goal.needsFree || goal.probing.isOn else { return }
      if targets.isEmpty {
        // The users of a file are not determined, so there is nothing more to wait for.
        report(attempt(answer.facts, using: nil, targets).answer, [])
        return
      }
      if try await untilUsable(targets, before: end, report) { return }
    } while !Task.isCancelled && end.map { $0 > .now } ?? true
  }

  /// - Returns: The answer that allows access; `nil` if the time is up.
  private func untilAllowed(
    before end: ContinuousClock.Instant?, _ report: Report
  ) async throws(DeviceError) -> AnsweredFacts? {
    var changes = service.changes(to: [question], for: rest(before: end)).makeAsyncIterator()
    while let change = try await changes.next() {
      var answer = AnsweredFacts(change.facts, change.explanation)
      if answer.explanation.answer == .allowed {
        // The grant that caused an event may already have ended. Report the current facts; the next
        // answer then reports that access was lost.
        let facts = try await patiently(before: end) {
          () async throws(DeviceError) -> AccessFacts in
          try await changes.scanAgain(at: 0)
        }
        if facts != answer.facts { answer = AnsweredFacts(facts) }
        guard answer.explanation.answer == .allowed else { continue }
      }
      let isAllowed = answer.explanation.answer == .allowed
      // If the goal requires more than permission, the next step reports the answer.
      if !isAllowed || !(goal.needsFree || goal.probing.isOn) {
        report(answer, change.gaps)
      }
      if isAllowed { return answer }
    }
    return nil
  }

  /// - Returns: `true` if the wait is over; `false` if access is no longer allowed.
  private func untilUsable(
    _ targets: [Question.Target], before end: ContinuousClock.Instant?, _ report: Report
  ) async throws(DeviceError) -> Bool {
    var changes = usage.changes(of: targets, byOthers: true, for: rest(before: end))
      .makeAsyncIterator()
    while try await changes.next() != nil {
      var attempt = try await attempt(targets, &changes, before: end, [], report)
      // No event reports when this state ends, so retry every second.
      let gap = Unobserved(
        "open-events", reason: "the reason why the device cannot be opened is not visible")
      while attempt == .unopened, end.map({ $0 > .now }) ?? true, !Task.isCancelled {
        let next = ContinuousClock.now.advanced(by: .seconds(1))
        await OneShotTimer.wait(until: end.map { min($0, next) } ?? next)
        attempt = try await self.attempt(targets, &changes, before: end, [gap], report)
      }
      switch attempt {
      // No event makes the attempt open a device that needs `--force`.
      case .succeeded, .withheld: return true
      case .hindered, .unopened: continue
      case .refused: return false
      }
    }
    return true
  }

  /// Makes an attempt with a new observation, which also becomes the base of the next change.
  ///
  /// If a process uses the device only for a moment, the next change therefore reports its end.
  private func attempt(
    _ targets: [Question.Target], _ changes: inout UseChanges.Iterator,
    before end: ContinuousClock.Instant?, _ gaps: [Unobserved], _ report: Report
  ) async throws(DeviceError) -> Attempt {
    try await patiently(before: end) { () async throws(DeviceError) -> Attempt in
      let facts = try await service.facts(for: question)
      let change = try await changes.scanAgain()
      let (answer, attempt) = attempt(facts, using: change, targets)
      report(answer, (change?.gaps ?? []) + gaps)
      return attempt
    }
  }

  /// Makes an attempt: determines the users of the device, and opens it if the goal requires that.
  ///
  /// If a change is given, its users are taken instead of a new observation.
  private func attempt(
    _ facts: AccessFacts, using change: UseChange?, _ targets: [Question.Target]
  ) -> (answer: AnsweredFacts, attempt: Attempt) {
    let isAllowed = facts.answer == .allowed
    var used = facts
    if isAllowed, !targets.isEmpty {
      used =
        change.map { observed(facts, $0) }
        ?? service.machine.observingUse(in: facts, of: targets)
    }
    var answer = AnsweredFacts(used)
    let isUsed = answer.explanation.answerIfFree != .allowed
    let isFree =
      !goal.needsFree || targets.isEmpty || answer.explanation.answerIfFree == .allowed
    if answer.explanation.answer == .allowed, isFree, goal.probing.isOn {
      answer = AnsweredFacts(
        service.machine.probed(used, isList: false, isForced: goal.probing == .forced))
    }
    let attempt: Attempt =
      if !isAllowed {
        .refused
      } else if !isFree {
        .hindered
      } else if answer.explanation.answer == .allowed {
        .succeeded
      } else if answer.facts.withheldOpening(at: answer.explanation.path) != nil {
        .withheld
      } else {
        isUsed ? .hindered : .unopened
      }
    return (answer, attempt)
  }

  /// Adds the users that a change reports to the facts.
  private func observed(_ facts: AccessFacts, _ change: UseChange) -> AccessFacts {
    var facts = facts
    facts.take(change.facts)
    facts.unobserved += change.absentPaths.map {
      Unobserved("use", at: $0, reason: Errno.noSuchFile.reason)
    }
    return facts
  }

  /// Repeats a failed observation after one second, because a lack of file descriptors or memory
  /// may be temporary.
  private func patiently<Value>(
    before end: ContinuousClock.Instant?, _ observe: () async throws(DeviceError) -> Value
  ) async throws(DeviceError) -> Value {
    var failures = 0
    while true {
      do throws(DeviceError) {
        return try await observe()
      } catch {
        failures += 1
        guard error.mayPass, failures < Self.mostFailures, end.map({ $0 > .now }) ?? true,
          !Task.isCancelled
        else { throw error }
        await OneShotTimer.wait(until: .now.advanced(by: .seconds(1)))
      }
    }
  }

  private static let mostFailures = 10

  private func rest(before end: ContinuousClock.Instant?) -> Duration? {
    end.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
  }

  /// Returns the devices whose users can prevent the access.
  private func targets(_ facts: AccessFacts) -> [Question.Target] {
    if let kind = facts.kind.flatMap(DeviceKind.named) {
      return kind.subsystem == nil ? [] : [.kind(kind)]
    }
    let path = facts.access.request.path
    // The type is unknown if a procfs link leads to an object without a path.
    return facts.access.object(at: path)?.type.isDevice ?? goal.needsFree ? [.path(path)] : []
  }
}
