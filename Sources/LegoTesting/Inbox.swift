internal import Synchronization

/// The changes that effects have sent and the test has not received.
final class Inbox<Change: Sendable>: Sendable {
  private struct State: Sendable {
    var changes: [Change] = []
    var waiting: (ticket: UInt64, continuation: CheckedContinuation<Change?, Never>)?
    var tickets: UInt64 = 0
  }

  private let state = Mutex(State())

  var changes: [Change] { state.withLock { $0.changes } }

  func append(_ change: Change) {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      if state.waiting == nil { state.changes.append(change) }
      return state.waiting
    }
    waiting?.continuation.resume(returning: change)
  }

  func removeAll() {
    state.withLock { $0.changes = [] }
  }

  /// Takes the first change, and waits for it if need be; `nil` when none came in time.
  func next(within timeout: Duration) async -> Change? {
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    let alarm = Task {
      try? await ContinuousClock().sleep(for: timeout)
      giveUp(ticket)
    }
    defer { alarm.cancel() }
    return await withCheckedContinuation { continuation in
      let ready = state.withLock { state -> Change? in
        if !state.changes.isEmpty { return state.changes.removeFirst() }
        state.waiting = (ticket, continuation)
        return nil
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }

  private func giveUp(_ ticket: UInt64) {
    let waiting = state.withLock { state -> CheckedContinuation<Change?, Never>? in
      guard let waiting = state.waiting, waiting.ticket == ticket else { return nil }
      state.waiting = nil
      return waiting.continuation
    }
    waiting?.resume(returning: nil)
  }
}
