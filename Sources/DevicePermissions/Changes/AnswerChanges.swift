package import AccessModel
public import LinuxDevices

/// The answers to some questions: as they are now, and from then on each other answer.
///
/// Events of devices, files, sessions, mounts and accounts say when to look again; between them
/// nothing is done. An answer that is what it was before is not told. Where something cannot be
/// watched, it is looked at after an interval, and each element says what that is.
///
/// While the consumer is busy any number of events make one further look. Where more than five events a
/// second keep coming, one of many files may wait for up to 200 ms, and looks take a fifth of a
/// processor's time at most in the long run; those at a thousand devices a hundredth, so that one may
/// follow the other after a second only. Answers are told in the order of their events.
///
/// Everything ends when the iterating task is cancelled, and when the iterator goes away.
public struct AnswerChanges: AsyncSequence, Sendable {
  public typealias Element = AnswerChange
  public typealias Failure = DeviceError

  private let changes: FactsChanges
  private let isInFull: Bool

  /// - Parameters:
  ///   - changes: The looks.
  ///   - isInFull: Whether each explanation has the fixes, and what else helps.
  init(_ changes: FactsChanges, inFull isInFull: Bool) {
    self.changes = changes
    self.isInFull = isInFull
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(
      looks: changes.makeAsyncIterator(), count: changes.questions.count, inFull: isInFull)
  }

  /// Takes answers one at a time.
  public struct Iterator: AsyncIteratorProtocol {
    private var looks: FactsChanges.Iterator
    /// The latest facts of each question, and the answer that was told.
    private var last: [AnsweredFacts?]
    /// Answers before, by the questions that got another: many go back to what they were.
    private var earlier: [Int: AnsweredFacts] = [:]
    /// Of a thousand files that change one after the other, none is kept for long; another one makes
    /// room where there are so many.
    private static let mostEarlier = 64
    /// The questions of which other facts led to the answer that was told.
    private var reworded: Set<Int> = []
    /// Those that are still to be told, the next one last: from there it is taken without a copy.
    private var pending: [AnswerChange] = []
    /// The questions whose latest facts the kernel's own answer contradicts.
    private var contradicted: [Int] = []
    private let isInFull: Bool

    init(looks: FactsChanges.Iterator, count: Int, inFull isInFull: Bool) {
      self.looks = looks
      self.isInFull = isInFull
      last = Array(repeating: nil, count: count)
    }

    /// Waits for the next answer that differs from the one before.
    ///
    /// - Throws: What ``DeviceService/facts(for:)`` throws; then it is over. A look after others that fails
    ///   for want of descriptors, memory or a source of facts is tried again, for ten intervals.
    /// - Returns: The answer; `nil` once the time is up or the task cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DeviceError) -> AnswerChange? {
      while pending.isEmpty {
        guard let look = try await looks.next(isolation: actor) else { return nil }
        let start = ThreadTime.now
        take(look)
        looks.add(ThreadTime.now - start)
        await settle(look)
      }
      return pending.popLast()
    }

    /// Whether ``next(isolation:)`` has another answer without waiting.
    package var hasMore: Bool { !pending.isEmpty }

    /// Looks at a question as it is now; ``next(isolation:)`` tells all the same what has changed.
    ///
    /// - Parameter index: Which of the questions, counted from 0.
    /// - Throws: What ``DeviceService/facts(for:)`` throws.
    /// - Returns: The facts.
    package mutating func lookAgain(at index: Int) async throws(DeviceError) -> AccessFacts {
      try await looks.lookAgain(at: index)
    }

    /// The answer from some facts: the same facts have the same.
    private func explanation(_ index: Int, _ facts: AccessFacts) -> Explanation {
      if let known = earlier[index], known.facts == facts { return known.explanation }
      return facts.explain(inFull: isInFull)
    }

    /// Looks once more at what the kernel contradicts, before that is told: what changes between the look
    /// at an object and the kernel's own answer makes the two differ, and not everything is told by
    /// events.
    private mutating func settle(_ look: FactsChanges.Element) async {
      for index in contradicted {
        guard let facts = (try? await looks.lookAgain(at: index)) ?? look.facts[index] else {
          continue
        }
        take(
          FactsChanges.Element(
            facts: [index: facts], order: [index], arrivals: look.arrivals, gaps: look.gaps),
          isSettled: true)
      }
      contradicted = []
    }

    private mutating func take(_ look: FactsChanges.Element, isSettled: Bool = false) {
      // Backwards, because of those that are pending the last one is told first.
      for index in look.order.reversed() {
        guard let facts = look.facts[index] else { continue }
        let before = last[index]
        if let before, before.facts == facts { continue }
        let explanation = self.explanation(index, facts)
        if let before, before.explanation.isSameAnswer(as: explanation) {
          last[index] = AnsweredFacts(facts, before.explanation)
          reworded.insert(index)
          continue
        }
        if !isSettled, facts.isContradicted(as: explanation),
          before?.explanation.disagreement == nil
        {
          contradicted.append(index)
          continue
        }
        // One device goes after the other, and then logind says who is active: in between the answer is
        // about another device, or has a wrong reason.
        if before != nil, explanation.device?.isTaggedForUserAccess == true,
          looks.isSwitchingSessions(since: facts)
        {
          continue
        }
        let isFromOtherFacts = reworded.remove(index) != nil
        earlier[index] = isFromOtherFacts ? nil : before
        if earlier.count > Self.mostEarlier, let other = earlier.keys.first(where: { $0 != index })
        {
          earlier[other] = nil
        }
        last[index] = AnsweredFacts(facts, explanation)
        let change = AnswerChange(
          index: index, facts: facts, explanation: explanation, before: before?.explanation,
          differences: before.map {
            facts.differences(from: $0.facts, replacing: look.arrivals)
          } ?? [], gaps: look.gaps)
        // What was looked at once more is told behind the others.
        pending.insert(change, at: isSettled ? 0 : pending.endIndex)
      }
    }
  }
}
