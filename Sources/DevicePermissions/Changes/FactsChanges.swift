package import AccessModel
package import LinuxDevices

/// The facts of some questions: at once, and again with each reason to look.
///
/// It looks when it is asked to, so that any number of reasons make one look while the consumer is
/// busy. It says what it saw even where that is what it saw before.
package struct FactsChanges: AsyncSequence, Sendable {
  package typealias Failure = DeviceError

  /// One look.
  package struct Element: Sendable {
    /// The facts of each question, in their order.
    package var facts: [AccessFacts]
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
      let run = run ?? LookRun(changes)
      if self.run != nil, !run.isUp {
        var signals = run.watch.signals.makeAsyncIterator()
        guard await signals.next(isolation: actor) != nil else { return nil }
      }
      self.run = run
      isOver = run.isUp
      return try await changes.look(run)
    }
  }

  /// A look is repeated as long as it shows more to watch: what changed before it was watched was
  /// not told.
  @concurrent
  private func look(_ run: LookRun) async throws(DeviceError) -> Element {
    // A path that changes all the time is told as it is seen; its next change comes anyway.
    for _ in 0..<8 {
      let element = try lookOnce(run)
      guard element.coverage.isNew else { return element.element }
    }
    return try lookOnce(run).element
  }

  private func lookOnce(
    _ run: LookRun
  ) throws(DeviceError) -> (element: Element, coverage: WatchCoverage) {
    var facts: [AccessFacts] = []
    for question in questions { facts.append(try machine.facts(for: question)) }
    let coverage = run.watch.cover(facts, pollingEvery: interval)
    return (Element(facts: facts, gaps: coverage.gaps), coverage)
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
