internal import LinuxDevices
internal import Synchronization

/// Asks the user a question only once, even if several requests need the answer at the same time.
///
/// One request asks, and the others wait for its outcome. After consent, the open device belongs to
/// the request that asked. Each of the others then asks in turn, and the portal or polkit answers
/// from memory, without asking the user.
final class SharedQuestions<Question: Hashable & Sendable, Outcome: Sendable>: Sendable {
  /// The next step of a request.
  enum Turn: Sendable {
    /// The request must ask, and then call ``SharedQuestions/end(_:with:)``.
    ///
    /// The associated value is the time that the request has already waited.
    case ask(after: Duration)
    /// Another request has asked, with this outcome.
    case answered(Outcome)
    /// The task of the request was cancelled.
    case cancelled
  }

  private struct Waiting {
    let number: UInt64
    let start: ContinuousClock.Instant
    let continuation: CheckedContinuation<Turn, Never>
  }

  private struct State {
    /// The requests that wait for each question that is being asked, in order of arrival.
    var waiting: [Question: [Waiting]] = [:]
    var lastNumber: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Returns the next step of a request, after waiting while another request asks the question.
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
          // Check this under the lock: a later cancellation finds the request among the waiting
          // ones.
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

  /// Ends the turn of the request that asked.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - outcome: The outcome for all waiting requests; `nil` if the next one must ask as well.
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

/// The questions that users are being asked.
struct PendingQuestions: Sendable {
  let byPortal = SharedQuestions<PortalRequest, PortalOutcome>()
  let byBroker = SharedQuestions<BrokerRequest, BrokerOutcome>()
}
