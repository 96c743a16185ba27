public import AccessModel
public import LinuxDevices

/// An asynchronous sequence of the current answers to some questions, and then of each changed
/// answer.
///
/// The sequence observes the machine again after events of devices, files, sessions, mounts and
/// accounts, and does nothing between them. It does not deliver an answer that is the same as the
/// previous one. Objects that send no events are polled, and ``AnswerChange/gaps`` lists them.
///
/// While the consumer is busy, any number of events cause one further observation. If more than
/// five events a second keep arriving, the observation of one of many files can be delayed by up to
/// 200 ms. In the long run, observations use at most a fifth of a processor. For a thousand
/// devices, they use at most a hundredth, which can delay the next observation by up to a second.
/// Answers are delivered in the order of their events.
///
/// Watching stops when the iterating task is cancelled or the iterator is destroyed.
public struct AnswerChanges: AsyncSequence, Sendable {
  public typealias Element = AnswerChange
  public typealias Failure = DeviceError

  private let changes: FactsScans
  private let detail: ExplanationDetail

  /// Creates a sequence of answers.
  ///
  /// - Parameters:
  ///   - changes: The sequence of facts to explain.
  ///   - detail: The detail of each explanation.
  package init(_ changes: FactsScans, _ detail: ExplanationDetail) {
    self.changes = changes
    self.detail = detail
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(
      scans: changes.makeAsyncIterator(), count: changes.questions.count, detail)
  }

  /// The iterator of the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    private var scans: FactsScans.Iterator
    /// The last facts of each question, and the explanation that was last delivered for it.
    private var last: [AnsweredFacts?]
    /// The previous answers by question, because a question often returns to its previous answer.
    private var earlier: [Int: AnsweredFacts] = [:]
    /// The maximum number of entries in `earlier`.
    ///
    /// If many files change one after the other, an entry is removed for each new one.
    private static let mostEarlier = 64
    /// The questions whose facts have changed since their delivered explanation was made.
    private var reworded: Set<Int> = []
    /// The changes to deliver, in reverse order: the next one is removed from the end without a
    /// copy.
    private var pending: [AnswerChange] = []
    /// The questions whose latest facts are contradicted by the kernel's own answer.
    private var contradicted: [Int] = []
    private let detail: ExplanationDetail

    init(scans: FactsScans.Iterator, count: Int, _ detail: ExplanationDetail) {
      self.scans = scans
      self.detail = detail
      last = Array(repeating: nil, count: count)
    }

    /// Waits for the next answer that differs from the previous answer to the same question.
    ///
    /// The first elements are the current answers.
    ///
    /// - Throws: The errors of ``Machine/facts(for:)``, after which the sequence ends. If
    ///   descriptors, memory or a source of facts are missing in an observation after the first
    ///   one, the sequence tries again, and throws the error only after ten attempts and ten
    ///   intervals.
    /// - Returns: The answer; `nil` if the time limit has passed, if the task was cancelled, or if
    ///   there are no questions.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DeviceError) -> AnswerChange? {
      while pending.isEmpty {
        guard let scan = try await scans.next(isolation: actor) else { return nil }
        let start = ThreadTime.now
        take(scan)
        scans.add(ThreadTime.now - start)
        await settle(scan)
      }
      return pending.popLast()
    }

    /// A Boolean value that indicates whether ``next(isolation:)`` returns another answer without
    /// waiting.
    package var hasMore: Bool { !pending.isEmpty }

    /// Observes the current facts of a question.
    ///
    /// ``next(isolation:)`` still returns the changes that this observation sees.
    ///
    /// - Parameter index: The index of the question, starting at 0.
    /// - Throws: The errors of ``Machine/facts(for:)``.
    /// - Returns: The facts.
    package mutating func scanAgain(at index: Int) async throws(DeviceError) -> AccessFacts {
      try await scans.scanAgain(at: index)
    }

    /// Explains some facts, or returns the previous explanation if it is for the same facts.
    private func explanation(_ index: Int, _ facts: AccessFacts) -> Explanation {
      if let known = earlier[index], known.facts == facts { return known.explanation }
      return facts.explain(detail)
    }

    /// Observes the contradicted questions again before their answers are delivered.
    ///
    /// A change between the observation of an object and the kernel's own answer makes the two
    /// differ, and not every change sends an event.
    private mutating func settle(_ scan: FactsScans.Element) async {
      for index in contradicted {
        guard let facts = (try? await scans.scanAgain(at: index)) ?? scan.facts[index] else {
          continue
        }
        take(
          FactsScans.Element(
            facts: [index: facts], order: [index], arrivals: scan.arrivals, gaps: scan.gaps),
          isSettled: true)
      }
      contradicted = []
    }

    private mutating func take(_ scan: FactsScans.Element, isSettled: Bool = false) {
      // Iterate in reverse, because `pending` is in reverse order.
      for index in scan.order.reversed() {
        guard let facts = scan.facts[index] else { continue }
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
        // During a session switch, the access lists of the devices change one after the other, and
        // then logind reports the active user. In between, the answer may be about another device
        // or have the wrong reason.
        if before != nil, explanation.device?.isTaggedForUserAccess == true,
          scans.isSwitchingSessions(since: facts)
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
            facts.differences(from: $0.facts, replacing: scan.arrivals)
          } ?? [], gaps: scan.gaps)
        // A question that was observed again is delivered after the others.
        pending.insert(change, at: isSettled ? 0 : pending.endIndex)
      }
    }
  }
}

/// A new answer to a question, and its differences from the previous answer.
public struct AnswerChange: Hashable, Sendable {
  /// The index of the question in the sequence's questions, starting at 0.
  public var index: Int
  /// The facts on which the answer is based.
  public var facts: AccessFacts
  /// The answer, with the deciding rule and the fixes.
  public var explanation: Explanation
  /// The previous answer to the question; `nil` for the first answer.
  public var before: Explanation?
  /// The differences from the facts that were observed before, the most significant first; empty
  /// for the first answer.
  public var differences: [FactsDifference]
  /// The objects that send no events and are polled instead, each with the reason.
  public var gaps: [Unobserved]
}

extension Explanation {
  /// Returns `true` if another explanation gives the same answer for the same reason.
  ///
  /// Evidence, fixes and names are not compared, because they can change while the answer remains
  /// the same.
  func isSameAnswer(as other: Explanation) -> Bool {
    answer == other.answer && status == other.status && availability == other.availability
      && path == other.path && granted == other.granted && decision.rule == other.decision.rule
      && decision.at == other.decision.at && cause?.code == other.cause?.code
      && cause?.summary == other.cause?.summary && device?.sysfsPath == other.device?.sysfsPath
  }
}

/// The latest explanation of a question and the previous one.
///
/// A question often returns to its previous facts, which have the same explanation.
package struct RecentAnswers {
  private var answered: AnsweredFacts?
  private var before: AnsweredFacts?

  package init() {}

  package var latest: Explanation? { answered?.explanation }

  /// Explains facts briefly, unless they equal those of a known explanation.
  package mutating func take(_ facts: AccessFacts) {
    // A comparison of optionals would copy the facts each time.
    if let answered, answered.facts == facts { return }
    let earlier = before
    before = answered
    if let earlier, earlier.facts == facts {
      answered = earlier
    } else {
      answered = AnsweredFacts(facts, facts.explain(.brief))
    }
  }
}
