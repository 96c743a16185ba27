package import AccessModel
package import LinuxDevices

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
    /// What is not told by events.
    package var gaps: [Unobserved]
  }

  let machine: any Machine
  let questions: [Question]
  var interval = Duration.seconds(1)
  /// After how long to look a last time; `nil` to go on until cancelled.
  var limit: Duration?

  package func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Looks, one time after the other.
  package struct Iterator: AsyncIteratorProtocol {
    private let changes: FactsChanges
    private var run: LookRun?
    /// Whether the look before was the last one.
    private var isOver = false
    /// What is to be looked at without waiting.
    private var rest = TouchedQuestions.none
    /// How many looks in a row showed more to watch.
    private var repeats = 0
    /// The most looks without waiting for a reason.
    private static let mostRepeats = 8

    init(_ changes: FactsChanges) { self.changes = changes }

    /// Waits for the next reason to look, and looks.
    ///
    /// - Throws: What ``Machine/facts(for:)`` throws.
    /// - Returns: The facts; `nil` once the time is up or the task cancelled.
    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DeviceError) -> Element? {
      guard !isOver, !Task.isCancelled else { return nil }
      // Watching begins before the first look, so that nothing is missed between the two.
      guard let run else {
        let run = LookRun(changes)
        self.run = run
        isOver = run.isUp
        var element = try await look(run, at: .all)
        // Nothing was watched while it was looked at, so that nothing told of what changed then.
        while rest != .none {
          rest = .none
          element = try await look(run, at: .all)
        }
        return element
      }
      var touched = rest
      rest = .none
      // What was told meanwhile is forgotten before anything is looked at.
      if touched != .none { touched.formUnion(run.watch.takeTouched()) }
      var signals = run.watch.signals.makeAsyncIterator()
      while !run.isUp, touched == .none {
        guard await signals.next(isolation: actor) != nil else { return nil }
        touched = run.watch.takeTouched()
      }
      isOver = run.isUp
      return try await look(run, at: isOver ? .all : touched)
    }

    /// Looks, and again next time where that showed more to watch: what changed before it was
    /// watched was not told, and nobody has to wait for what was seen.
    ///
    /// What changed while it was looked at is looked at again first.
    private mutating func look(
      _ run: LookRun, at questions: TouchedQuestions
    ) async throws(DeviceError) -> Element {
      var questions = questions
      var (element, coverage) = try await changes.look(run, at: questions)
      // What changes all the time is told as it is seen; its next change comes anyway.
      for _ in 0..<Self.mostRepeats {
        let news = run.watch.takeNews()
        guard !news.isDisjoint(with: questions) else {
          rest.formUnion(news)
          break
        }
        let (again, more) = try await changes.look(run, at: news)
        element.facts.merge(again.facts) { $1 }
        element.gaps = again.gaps
        coverage.isNew = coverage.isNew || more.isNew
        questions.formUnion(news)
      }
      if coverage.isNew, repeats < Self.mostRepeats {
        rest.formUnion(questions)
        repeats += 1
      } else {
        repeats = 0
      }
      return element
    }

    /// Looks at a question as it is now; ``next(isolation:)`` tells all the same what has changed.
    ///
    /// - Parameter number: The number of the question.
    /// - Throws: What ``Machine/facts(for:)`` throws.
    /// - Returns: The facts.
    mutating func lookAgain(at number: Int) async throws(DeviceError) -> AccessFacts {
      guard let run else { return try await changes.facts(nil, number) }
      rest.formUnion(run.watch.takeTouched())
      rest.formUnion(run.watch.takeNews())
      return try await changes.facts(run, number)
    }
  }

  @concurrent
  private func look(
    _ run: LookRun, at touched: TouchedQuestions
  ) async throws(DeviceError) -> (element: Element, coverage: WatchCoverage) {
    let numbers =
      switch touched {
      case .all: Array(questions.indices)
      case .some(let numbers): numbers.sorted().filter(questions.indices.contains)
      }
    var facts: [Int: AccessFacts] = [:]
    for number in numbers { facts[number] = try factsNow(run, number) }
    let coverage = run.watch.cover(facts, pollingEvery: interval)
    return (Element(facts: facts, gaps: coverage.gaps), coverage)
  }

  @concurrent
  private func facts(_ run: LookRun?, _ number: Int) async throws(DeviceError) -> AccessFacts {
    try factsNow(run, number)
  }

  /// The facts of a question.
  ///
  /// Nothing tells that the last ones no longer hold, so that they rely on no watch.
  private func factsNow(_ run: LookRun?, _ number: Int) throws(DeviceError) -> AccessFacts {
    guard let run, !run.isUp else { return try machine.facts(for: questions[number]) }
    return try machine.facts(for: questions[number], watchedBy: run.watch)
  }
}

/// The watch of one iteration, which ends with it.
private final class LookRun: Sendable {
  let watch: any MachineWatch
  private let deadline: Deadline?

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

  /// Whether the time is up, so that no look follows the next one.
  var isUp: Bool { deadline?.isUp ?? false }
}
