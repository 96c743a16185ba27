package import AccessModel
package import LinuxDevices
internal import Synchronization

/// The facts of some questions: at once, and of each again with each reason to look at it.
///
/// It looks when it is asked to, so that any number of reasons make one look while the consumer is
/// busy. It says what it saw even where that is what it saw before.
package struct FactsChanges: AsyncSequence, Sendable {
  package typealias Failure = DeviceError

  /// One look.
  package struct Element: Sendable {
    /// The facts of each question that there was a reason to look at, by their numbers.
    package var facts: [Int: AccessFacts]
    /// These numbers, in the order in which there was a reason.
    package var order: QuestionNumbers
    /// The paths at which something appeared since the look before.
    package var arrivals: Set<String>
    /// What is not told by events.
    package var gaps: [Unobserved]
  }

  let machine: any Machine
  let questions: [Question]
  var interval = Duration.seconds(1)
  /// After how long to look a last time; `nil` to go on until cancelled.
  var limit: Duration?
  /// Whether facts are told before what they newly depend on is watched.
  ///
  /// That comes right afterwards, and whatever changed before is looked at then. Other gaps than those of
  /// the look before are an element without facts, and so are those of a look that failed.
  var tellsFirst = false

  package func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Looks, one time after the other.
  package struct Iterator: AsyncIteratorProtocol {
    private let changes: FactsChanges
    private var run: LookRun?
    /// Whether the look before was the last one.
    private var isOver = false
    /// What is to be looked at without waiting.
    private var rest = WatchNews.none
    /// What a look that failed was to see: the next one sees it as well, whatever its reason is.
    private var missed = WatchNews.none
    /// What was told and is not watched for yet.
    private var uncovered: [Int: AccessFacts] = [:]
    private var gaps: [Unobserved] = []
    /// Why looks fail; `nil` while they do not, and where gaps are not told without facts.
    private var failure: Unobserved?
    /// The gaps of the element before.
    private var toldGaps: [Unobserved] = []
    /// How many looks in a row showed more to watch.
    private var repeats = 0
    /// The most looks without waiting for a reason.
    private static let mostRepeats = 8
    /// Since when looks fail, and how many have.
    private var failures: (start: ContinuousClock.Instant, count: Int)?
    /// How many may, and for how many intervals: a machine lacks descriptors or memory for a moment.
    private static let patience = 10
    /// What has a look tried again.
    private var retry: Pause?
    /// Since when a switch of sessions goes on, and what ends the wait for its end.
    private var sessionSwitch: (start: ContinuousClock.Instant, end: Pause)?
    /// How long one takes at most, on a machine that has much to do.
    private static let longestSwitch = Duration.milliseconds(500)

    init(_ changes: FactsChanges) { self.changes = changes }

    /// Waits for the next reason to look, and looks.
    ///
    /// - Throws: What ``Machine/facts(for:)`` throws, unless a look before succeeded and this one fails
    ///   for some seconds only; then it is over.
    /// - Returns: The facts; `nil` once the time is up or the task cancelled, and where nothing is asked.
    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DeviceError) -> Element? {
      var isLast = true
      defer { if isLast { end() } }
      let element = try await lookNext(isolation: actor)
      isLast = element == nil
      return element
    }

    /// Ends the watch, also where somebody keeps this iterator.
    mutating func end() {
      isOver = true
      run = nil
      retry = nil
      sessionSwitch = nil
      uncovered = [:]
    }

    private mutating func lookNext(
      isolation actor: isolated (any Actor)?
    ) async throws(DeviceError) -> Element? {
      guard !isOver, !Task.isCancelled, !changes.questions.isEmpty else { return nil }
      // Watching begins before the first look, so that nothing is missed between the two.
      guard let run else {
        let run = LookRun(changes)
        self.run = run
        isOver = run.isUp
        var element = try await look(run, at: .all, tellsFirst: false)
        // Nothing was watched while it was looked at, so that nothing told of what changed then.
        while rest.questions != .none {
          rest = .none
          element = try await look(run, at: .all, tellsFirst: false)
        }
        return element
      }
      await coverTold(run)
      if gapsNow != toldGaps { return element(of: [:], []) }
      while true {
        guard let told = await waitForNews(run, isolation: actor) else { return nil }
        var news = missed
        news.formUnion(told)
        do throws(DeviceError) {
          defer { retry = nil }
          let element = try await look(run, at: news, tellsFirst: changes.tellsFirst)
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
          retry = Pause(until: now.advanced(by: changes.interval)) { watch.wake() }
          guard changes.tellsFirst else { continue }
          failure = Unobserved("events", reason: error.description)
          if gapsNow != toldGaps { return element(of: [:], []) }
        }
      }
    }

    /// Waits for the next reason to look; `nil` when there will be none.
    private mutating func waitForNews(
      _ run: LookRun, isolation actor: isolated (any Actor)?
    ) async -> WatchNews? {
      var news = rest
      rest = .none
      // What was told meanwhile is forgotten before anything is looked at.
      if news.questions != .none { news.formUnion(run.watch.takeTold()) }
      var signals = run.watch.signals.makeAsyncIterator()
      while !run.isUp, news.questions == .none {
        guard await signals.next(isolation: actor) != nil else { return nil }
        if let time = run.pauseEnd { await Pause.wait(until: time) }
        news.formUnion(run.watch.takeTold())
      }
      isOver = run.isUp
      if isOver { news.questions = .all }
      return news
    }

    /// Watches what the facts depend on that were told first.
    private mutating func coverTold(_ run: LookRun) async {
      guard !uncovered.isEmpty else { return }
      let coverage = await changes.cover(run, uncovered)
      take(coverage, of: .some(QuestionNumbers(uncovered.keys)))
      uncovered = [:]
    }

    /// Has questions looked at again when something is watched for them that was not before: what
    /// changed until then was not told.
    private mutating func take(_ coverage: WatchCoverage, of questions: TouchedQuestions) {
      gaps = coverage.gaps
      if coverage.isNew, repeats < Self.mostRepeats {
        rest.questions.formUnion(questions)
        repeats += 1
      } else {
        repeats = 0
      }
    }

    /// Looks, and again next time where that showed more to watch: what changed before it was
    /// watched was not told, and nobody has to wait for what was seen.
    ///
    /// What changed while it was looked at is looked at again first.
    private mutating func look(
      _ run: LookRun, at news: WatchNews, tellsFirst: Bool
    ) async throws(DeviceError) -> Element {
      var seen = news
      missed = news
      var (facts, coverage) = try await changes.look(
        run, at: news.questions, tellsFirst: tellsFirst)
      // What changes all the time is told as it is seen; its next change comes anyway.
      for _ in 0..<Self.mostRepeats {
        let later = run.watch.takeNews()
        guard !later.questions.isDisjoint(with: seen.questions) else {
          rest.formUnion(later)
          break
        }
        missed.formUnion(later)
        let (again, more) = try await changes.look(
          run, at: later.questions, tellsFirst: tellsFirst)
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
      toldGaps = gapsNow
      return Element(facts: facts, order: order, arrivals: arrivals, gaps: toldGaps)
    }

    private var gapsNow: [Unobserved] { gaps + [failure].compactMap(\.self) }

    /// Counts a time of a processor as that of the look before: what is made of it belongs to it.
    func add(_ time: Duration) { run?.add(time) }

    /// Whether a switch of sessions was going on at a look; there is another one at its end.
    mutating func isSwitchingSessions(since facts: AccessFacts) -> Bool {
      guard !isOver, let watch = run?.watch, watch.isSwitchingSessions(since: facts) else {
        return false
      }
      let now = ContinuousClock.now
      guard let sessionSwitch else {
        let end = Pause(until: now.advanced(by: Self.longestSwitch)) { watch.wake() }
        sessionSwitch = (now, end)
        return true
      }
      return sessionSwitch.start.duration(to: now) < Self.longestSwitch
    }

    /// Forgets a switch of sessions that was over at a look, also where the answers are what they were: the
    /// next one has its own time.
    ///
    /// A look at some questions only says nothing of those that waited for the end, which has all looked at.
    private mutating func noteEndOfSwitch(_ run: LookRun, _ facts: [Int: AccessFacts]) {
      guard sessionSwitch != nil, facts.count == changes.questions.count,
        !facts.values.contains(where: run.watch.isSwitchingSessions)
      else { return }
      sessionSwitch = nil
    }

    /// Has all questions looked at again, from any task; `nil` before the first look and after the last.
    var lookAgain: (@Sendable () -> Void)? {
      guard !isOver, let watch = run?.watch else { return nil }
      return { [weak watch] in watch?.wake() }
    }

    /// Looks at a question as it is now; ``next(isolation:)`` tells all the same what has changed.
    ///
    /// - Parameter number: The number of the question.
    /// - Throws: What ``Machine/facts(for:)`` throws.
    /// - Returns: The facts.
    mutating func lookAgain(at number: Int) async throws(DeviceError) -> AccessFacts {
      guard let run else { return try await changes.facts(nil, number) }
      rest.formUnion(run.watch.takeTold())
      rest.formUnion(run.watch.takeNews())
      return try await changes.facts(run, number)
    }
  }

  /// The facts of some questions, and how far they are watched unless they are told first.
  @concurrent
  private func look(
    _ run: LookRun, at touched: TouchedQuestions, tellsFirst: Bool
  ) async throws(DeviceError) -> (facts: [Int: AccessFacts], coverage: WatchCoverage?) {
    let numbers = Array(numbers(touched))
    let facts = Dictionary(zip(numbers, try facts(run, numbers))) { first, _ in first }
    return (facts, tellsFirst ? nil : run.watch.cover(facts, pollingEvery: interval))
  }

  private func numbers(_ touched: TouchedQuestions) -> QuestionNumbers {
    switch touched {
    case .all: QuestionNumbers(questions.indices)
    case .some(let numbers): numbers.below(questions.count)
    }
  }

  @concurrent
  private func cover(_ run: LookRun, _ facts: [Int: AccessFacts]) async -> WatchCoverage {
    run.watch.cover(facts, pollingEvery: interval)
  }

  @concurrent
  private func facts(_ run: LookRun?, _ number: Int) async throws(DeviceError) -> AccessFacts {
    guard let run else { return try machine.facts(for: questions[number]) }
    return try facts(run, [number])[0]
  }

  /// The facts of some questions, in their order.
  ///
  /// Nothing tells that the last ones no longer hold, so that they rely on no watch.
  private func facts(_ run: LookRun, _ numbers: [Int]) throws(DeviceError) -> [AccessFacts] {
    let questions = numbers.map { self.questions[$0] }
    return try run.timed { () throws(DeviceError) -> [AccessFacts] in
      guard run.isUp else { return try machine.facts(for: questions, watchedBy: run.watch) }
      return try questions.map { (question: Question) throws(DeviceError) -> AccessFacts in
        try machine.facts(for: question)
      }
    }
  }
}

/// The watch of one iteration, which ends with it.
private final class LookRun: Sendable {
  let watch: any MachineWatch
  private let deadline: Deadline?
  /// How much was looked lately; many changes in a row are told one by one.
  private let budget = Mutex(LookBudget(ahead: .seconds(10)))

  init(_ changes: FactsChanges) {
    let watch: any MachineWatch
    do throws(DeviceError) {
      watch = try changes.machine.watch(changes.questions.map(\.target))
    } catch {
      watch = PollingWatch(because: error.description)
    }
    self.watch = watch
    deadline = changes.limit.map { Deadline(after: $0) { watch.wake() } }
  }

  /// When the next look fits into the share of the time that looks may take, such as those at a
  /// thousand devices one after the other; `nil` for now.
  var pauseEnd: ContinuousClock.Instant? {
    let time = budget.withLock { $0.earliest }
    return isUp || time <= .now ? nil : time
  }

  /// Looks, and counts the time.
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

  /// Counts what is made of the latest look as a part of it.
  func add(_ time: Duration) {
    budget.withLock { $0.add(time) }
  }

  /// Whether the time is up, so that no look follows the next one.
  var isUp: Bool { deadline?.isUp ?? false }
}
