public import AccessModel
public import LinuxDevices
internal import Synchronization

/// An asynchronous sequence of the facts of some questions, first at once and then whenever they
/// may have changed.
///
/// The machine is observed only when an element is requested, so any number of events cause one
/// observation while the consumer is busy. An element is delivered even if its facts equal the
/// previous ones.
package struct FactsScans: AsyncSequence, Sendable {
  package typealias Failure = DeviceError

  /// The result of one observation.
  package struct Element: Sendable {
    /// The facts of each question that was observed, by the number of the question.
    package var facts: [Int: AccessFacts]
    /// The numbers of these questions, in the order of the events that affected them.
    package var order: QuestionNumbers
    /// The paths at which something appeared since the previous observation.
    package var arrivals: Set<String>
    /// The objects that send no events and are polled instead, each with the reason.
    ///
    /// If facts are delivered first and an observation fails, the array also contains that reason.
    package var gaps: [Unobserved]
  }

  let machine: any Machine
  let questions: [Question]
  let interval: Duration
  /// The time until the last observation; `nil` to continue until the task is cancelled.
  let limit: Duration?
  /// A Boolean value that indicates whether facts are delivered before their new dependencies are
  /// watched.
  ///
  /// If so, the next call of `next` starts watching them, and then observes again what may have
  /// changed in the meantime. If the gaps change, or if an observation fails, an element without
  /// facts delivers the new gaps.
  let reportsFirst: Bool

  package init(
    machine: any Machine, questions: [Question], interval: Duration = .seconds(1),
    limit: Duration? = nil, reportsFirst: Bool = false
  ) {
    self.machine = machine
    self.questions = questions
    self.interval = interval
    self.limit = limit
    self.reportsFirst = reportsFirst
  }

  package func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// The iterator of the sequence.
  package struct Iterator: AsyncIteratorProtocol {
    private let changes: FactsScans
    private var run: WatchIteration?
    /// A Boolean value that indicates whether no further observation follows.
    private var isOver = false
    /// The events to handle in the next observation, without waiting for a signal.
    private var rest = WatchedChanges.none
    /// The events of a failed observation, which the next observation handles as well.
    private var missed = WatchedChanges.none
    /// The facts that were delivered and whose dependencies are not watched yet.
    private var uncovered: [Int: AccessFacts] = [:]
    private var gaps: [Unobserved] = []
    /// The reason why observations fail; `nil` if they succeed, or if gaps are delivered only with
    /// facts.
    private var failure: Unobserved?
    /// The gaps of the previous element.
    private var reportedGaps: [Unobserved] = []
    /// The number of consecutive observations that found more to watch.
    private var repeats = 0
    /// The maximum number of consecutive observations without waiting for a signal.
    private static let mostRepeats = 8
    /// The time of the first failure and the number of failures since the last success; `nil` if
    /// there was none.
    private var failures: (start: ContinuousClock.Instant, count: Int)?
    /// The number of failures, and of intervals, that must pass before the error is thrown.
    ///
    /// A machine may lack descriptors or memory only for a moment.
    private static let patience = 10
    /// The timer that triggers another attempt after a failure.
    private var retry: OneShotTimer?
    /// The time at which a session switch was first seen, and the timer that limits the wait for
    /// its end.
    private var sessionSwitch: (start: ContinuousClock.Instant, end: OneShotTimer)?
    /// The longest wait for the end of a session switch, which is long enough for a busy machine.
    private static let longestSwitch = Duration.milliseconds(500)

    init(_ changes: FactsScans) { self.changes = changes }

    /// Waits until the facts of a question may have changed, and observes them.
    ///
    /// - Throws: The errors of ``Machine/facts(for:)``, after which the sequence ends. A temporary
    ///   failure after the first observation is thrown only if it persists.
    /// - Returns: The facts; `nil` if the time limit has passed, if the task was cancelled, or if
    ///   there are no questions.
    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DeviceError) -> Element? {
      var isLast = true
      defer { if isLast { end() } }
      let element = try await scanNext(isolation: actor)
      isLast = element == nil
      return element
    }

    /// Stops watching, even if this iterator still exists.
    package mutating func end() {
      isOver = true
      run = nil
      retry = nil
      sessionSwitch = nil
      uncovered = [:]
    }

    private mutating func scanNext(
      isolation actor: isolated (any Actor)?
    ) async throws(DeviceError) -> Element? {
      guard !isOver, !Task.isCancelled, !changes.questions.isEmpty else { return nil }
      // Start watching before the first observation, so no change between the two is missed.
      guard let run else {
        let run = WatchIteration(changes)
        self.run = run
        isOver = run.isUp
        var element = try await scan(run, at: .all, reportsFirst: false)
        // Changes during this observation sent no events, because the dependencies of the facts
        // were not known and not watched yet.
        while rest.questions != .none {
          rest = .none
          element = try await scan(run, at: .all, reportsFirst: false)
        }
        return element
      }
      await coverReported(run)
      if gapsNow != reportedGaps { return element(of: [:], []) }
      while true {
        guard let reported = await waitForChanges(run, isolation: actor) else { return nil }
        var changed = missed
        changed.formUnion(reported)
        do throws(DeviceError) {
          defer { retry = nil }
          let element = try await scan(run, at: changed, reportsFirst: changes.reportsFirst)
          failures = nil
          return element
        } catch {
          let now = ContinuousClock.now
          let (start, count) = failures ?? (now, 0)
          guard !isOver, error.mayPass,
            count < Self.patience
              || start.duration(to: now) < changes.interval * Self.patience
          else { throw error }
          failures = (start, count + 1)
          let watch = run.watch
          retry = OneShotTimer(until: now.advanced(by: changes.interval)) { watch.wake() }
          guard changes.reportsFirst else { continue }
          failure = Unobserved("events", reason: error.description)
          if gapsNow != reportedGaps { return element(of: [:], []) }
        }
      }
    }

    /// Waits for the next event that requires an observation; returns `nil` if there will be none.
    private mutating func waitForChanges(
      _ run: WatchIteration, isolation actor: isolated (any Actor)?
    ) async -> WatchedChanges? {
      var changed = rest
      rest = .none
      // Consume the events that arrived in the meantime, because the next observation covers them.
      if changed.questions != .none { changed.formUnion(run.watch.takeReportedChanges()) }
      var signals = run.watch.signals.makeAsyncIterator()
      while !run.isUp, changed.questions == .none {
        guard await signals.next(isolation: actor) != nil else { return nil }
        if let time = run.pauseEnd { await OneShotTimer.wait(until: time) }
        changed.formUnion(run.watch.takeReportedChanges())
      }
      isOver = run.isUp
      if isOver { changed.questions = .all }
      return changed
    }

    /// Watches the dependencies of the facts that were delivered first.
    private mutating func coverReported(_ run: WatchIteration) async {
      guard !uncovered.isEmpty else { return }
      let coverage = await changes.cover(run, uncovered)
      take(coverage, of: .some(QuestionNumbers(uncovered.keys)))
      uncovered = [:]
    }

    /// Schedules another observation of the questions if something new is watched for them, because
    /// changes before that sent no events.
    private mutating func take(_ coverage: WatchCoverage, of questions: TouchedQuestions) {
      gaps = coverage.gaps
      if coverage.isNew, repeats < Self.mostRepeats {
        rest.questions.formUnion(questions)
        repeats += 1
      } else {
        repeats = 0
      }
    }

    /// Observes some questions, and schedules another observation if there is more to watch now.
    ///
    /// Changes before the watch began sent no events, but the caller does not have to wait for the
    /// second observation. Questions that changed during the first one are observed again at once.
    private mutating func scan(
      _ run: WatchIteration, at changed: WatchedChanges, reportsFirst: Bool
    ) async throws(DeviceError) -> Element {
      var seen = changed
      missed = changed
      var (facts, coverage) = try await changes.scan(
        run, at: changed.questions, reportsFirst: reportsFirst)
      // Something that changes continuously is delivered as it was last seen, because its next
      // change sends another event.
      for _ in 0..<Self.mostRepeats {
        let later = run.watch.takeAllChanges()
        guard !later.questions.isDisjoint(with: seen.questions) else {
          rest.formUnion(later)
          break
        }
        missed.formUnion(later)
        let (again, more) = try await changes.scan(
          run, at: later.questions, reportsFirst: reportsFirst)
        facts.merge(again) { $1 }
        if let more {
          let isNew = more.isNew || coverage?.isNew ?? false
          coverage = WatchCoverage(isNew: isNew, gaps: more.gaps)
        }
        seen.formUnion(later)
      }
      if let coverage {
        take(coverage, of: seen.questions)
      } else {
        uncovered = facts
      }
      missed = .none
      failure = nil
      noteEndOfSwitch(run, facts)
      return element(of: facts, changes.numbers(seen.questions), arrivals: seen.arrivals)
    }

    private mutating func element(
      of facts: [Int: AccessFacts], _ order: QuestionNumbers, arrivals: Set<String> = []
    ) -> Element {
      reportedGaps = gapsNow
      return Element(facts: facts, order: order, arrivals: arrivals, gaps: reportedGaps)
    }

    private var gapsNow: [Unobserved] { gaps + [failure].compactMap(\.self) }

    /// Charges the time for handling the result of the previous observation to the budget.
    func add(_ time: Duration) { run?.add(time) }

    /// Returns `true` if a session switch was in progress during an observation.
    ///
    /// When the switch ends, or when the wait for its end is over, all questions are observed
    /// again.
    mutating func isSwitchingSessions(since facts: AccessFacts) -> Bool {
      guard !isOver, let watch = run?.watch, watch.isSwitchingSessions(since: facts) else {
        return false
      }
      let now = ContinuousClock.now
      guard let sessionSwitch else {
        let end = OneShotTimer(until: now.advanced(by: Self.longestSwitch)) { watch.wake() }
        sessionSwitch = (now, end)
        return true
      }
      return sessionSwitch.start.duration(to: now) < Self.longestSwitch
    }

    /// Clears the session switch if all questions were observed after its end, so the next switch
    /// has its own time limit.
    ///
    /// This happens even if no answer has changed. An observation of only some questions is not
    /// enough: the end of a switch triggers an observation of all of them.
    private mutating func noteEndOfSwitch(_ run: WatchIteration, _ facts: [Int: AccessFacts]) {
      guard sessionSwitch != nil, facts.count == changes.questions.count,
        !facts.values.contains(where: run.watch.isSwitchingSessions)
      else { return }
      sessionSwitch = nil
    }

    /// A closure that triggers another observation of all questions, from any task; `nil` before
    /// the first observation and after the last.
    package var scanAgain: (@Sendable () -> Void)? {
      guard !isOver, let watch = run?.watch else { return nil }
      return { [weak watch] in watch?.wake() }
    }

    /// Observes the current facts of a question.
    ///
    /// ``next(isolation:)`` still returns the changes that this observation sees.
    ///
    /// - Parameter number: The number of the question.
    /// - Throws: The errors of ``Machine/facts(for:)``.
    /// - Returns: The facts.
    mutating func scanAgain(at number: Int) async throws(DeviceError) -> AccessFacts {
      guard let run else { return try await changes.facts(nil, number) }
      rest.formUnion(run.watch.takeReportedChanges())
      rest.formUnion(run.watch.takeAllChanges())
      return try await changes.facts(run, number)
    }
  }

  /// Observes some questions, and watches their dependencies unless the facts are delivered first.
  @concurrent
  private func scan(
    _ run: WatchIteration, at touched: TouchedQuestions, reportsFirst: Bool
  ) async throws(DeviceError) -> (facts: [Int: AccessFacts], coverage: WatchCoverage?) {
    let numbers = Array(numbers(touched))
    let facts = Dictionary(zip(numbers, try facts(run, numbers))) { first, _ in first }
    return (facts, reportsFirst ? nil : run.watch.cover(facts, pollingEvery: interval))
  }

  private func numbers(_ touched: TouchedQuestions) -> QuestionNumbers {
    switch touched {
    case .all: QuestionNumbers(questions.indices)
    case .some(let numbers): numbers.below(questions.count)
    }
  }

  @concurrent
  private func cover(_ run: WatchIteration, _ facts: [Int: AccessFacts]) async -> WatchCoverage {
    run.watch.cover(facts, pollingEvery: interval)
  }

  @concurrent
  private func facts(_ run: WatchIteration?, _ number: Int) async throws(DeviceError) -> AccessFacts
  {
    guard let run else { return try machine.facts(for: questions[number]) }
    return try facts(run, [number])[0]
  }

  /// Returns the facts of some questions, in the order of the numbers.
  ///
  /// The last observation does not rely on the watch, because no further event would correct it.
  private func facts(_ run: WatchIteration, _ numbers: [Int]) throws(DeviceError) -> [AccessFacts] {
    let questions = numbers.map { self.questions[$0] }
    return try run.timed { () throws(DeviceError) -> [AccessFacts] in
      guard run.isUp else { return try machine.facts(for: questions, watchedBy: run.watch) }
      return try questions.map { (question: Question) throws(DeviceError) -> AccessFacts in
        try machine.facts(for: question)
      }
    }
  }
}

/// The watch of one iteration, with its time limit and its budget.
private final class WatchIteration: Sendable {
  let watch: any MachineWatch
  private let deadline: Deadline?
  /// The budget for observations, with enough credit to deliver many changes in a row one by one.
  private let budget = Mutex(ScanBudget(ahead: .seconds(10)))

  init(_ changes: FactsScans) {
    let watch: any MachineWatch
    do throws(DeviceError) {
      watch = try changes.machine.watch(changes.questions.map(\.target))
    } catch {
      watch = PollingWatch(because: error.description)
    }
    self.watch = watch
    deadline = changes.limit.map { Deadline(after: $0) { watch.wake() } }
  }

  /// The time at which the budget allows the next observation; `nil` if it may start now.
  var pauseEnd: ContinuousClock.Instant? {
    let time = budget.withLock { $0.earliest }
    return isUp || time <= .now ? nil : time
  }

  /// Performs an observation, and charges its processor time to the budget.
  func timed(
    _ body: () throws(DeviceError) -> [AccessFacts]
  ) throws(DeviceError) -> [AccessFacts] {
    let start = ThreadTime.now
    defer { add(ThreadTime.now - start) }
    let facts = try body()
    var count = 0
    for index in facts.indices { count = max(count, facts[index].access.nodes.count) }
    budget.withLock { [count] in $0.objectCount = count }
    return facts
  }

  /// Charges the time for handling the result of the latest observation to the budget.
  func add(_ time: Duration) {
    budget.withLock { $0.add(time) }
  }

  /// A Boolean value that indicates whether the time limit has passed, so the next observation is
  /// the last.
  var isUp: Bool { deadline?.isUp ?? false }
}

/// An asynchronous sequence of the facts behind an answer, first the current ones and then each
/// change.
///
/// Watching stops when the iterating task is cancelled or the iterator is destroyed.
public struct FactsObservations: AsyncSequence, Sendable {
  public typealias Element = AccessFacts
  public typealias Failure = DeviceError

  let changes: FactsScans

  package init(changes: FactsScans) { self.changes = changes }

  public func makeAsyncIterator() -> Iterator { Iterator(scans: changes.makeAsyncIterator()) }

  /// The iterator of the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    var scans: FactsScans.Iterator
    private var last: AccessFacts?

    init(scans: FactsScans.Iterator) { self.scans = scans }

    /// Waits for facts that differ from the previous ones.
    ///
    /// - Throws: The errors of ``Machine/facts(for:)``, after which the sequence ends. A
    ///   temporary failure after the first observation is thrown only if it persists.
    /// - Returns: The facts; `nil` if the time limit has passed or the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DeviceError) -> AccessFacts? {
      while let scan = try await scans.next(isolation: actor) {
        guard let facts = scan.facts[0], facts != last else { continue }
        last = facts
        return facts
      }
      return nil
    }
  }
}
