internal import LinuxDevices
internal import Synchronization

/// Has one question put to a person once, however many requests come to it at the same time.
///
/// One of them asks, and the others wait for the outcome. What is handed over is the asker's own, so
/// that after a yes each of the others asks in its turn, and whoever remembers the yes asks nobody.
final class AskedQuestions<Question: Hashable & Sendable, Outcome: Sendable>: Sendable {
  /// What a request is to do.
  enum Turn: Sendable {
    /// To ask, after so long a wait, and to tell ``AskedQuestions/end(_:with:)``.
    case ask(after: Duration)
    /// Nothing: another one asked, and this came of it.
    case answered(Outcome)
    /// Nothing: the task was cancelled.
    case cancelled
  }

  private struct Waiting {
    let number: UInt64
    let start: ContinuousClock.Instant
    let continuation: CheckedContinuation<Turn, Never>
  }

  private struct State {
    /// Who waits for each question that is asked now, from the one that came first.
    var waiting: [Question: [Waiting]] = [:]
    var lastNumber: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Waits for the outcome where somebody asks the question.
  func turn(to ask: Question) async -> Turn {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let turn: Turn? = state.withLock { state in
          guard state.waiting[ask] != nil else {
            state.waiting[ask] = []
            return .ask(after: .zero)
          }
          // Looked at under the lock: a later cancellation finds it among those that wait.
          guard !Task.isCancelled else { return .cancelled }
          state.waiting[ask]?.append(
            Waiting(number: number, start: .now, continuation: continuation))
          return nil
        }
        if let turn { continuation.resume(returning: turn) }
      }
    } onCancel: {
      let waiting = state.withLock { state in
        let index = state.waiting[ask]?.firstIndex { $0.number == number }
        return index.flatMap { state.waiting[ask]?.remove(at: $0) }
      }
      waiting?.continuation.resume(returning: .cancelled)
    }
  }

  /// Ends the turn of the one that asked.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - outcome: What came of it for all; `nil` where the next one has to ask by itself.
  func end(_ question: Question, with outcome: Outcome?) {
    let (waiting, turn) = state.withLock { state -> ([Waiting], Turn?) in
      var waiting = state.waiting[question] ?? []
      guard outcome == nil, !waiting.isEmpty else {
        state.waiting[question] = nil
        return (waiting, outcome.map { .answered($0) })
      }
      let next = waiting.removeFirst()
      state.waiting[question] = waiting
      return ([next], nil)
    }
    for one in waiting {
      one.continuation.resume(
        returning: turn ?? .ask(after: one.start.duration(to: .now)))
    }
  }
}

/// The questions that requests put to persons now.
struct AskedPersons: Sendable {
  let byPortal = AskedQuestions<PortalRequest, PortalOutcome>()
  let byBroker = AskedQuestions<BrokerRequest, BrokerOutcome>()
}
