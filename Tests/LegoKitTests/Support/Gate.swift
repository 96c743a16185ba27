import LegoKit
import Synchronization

/// Holds tasks until it is opened.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var arrivals = 0
    var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var watchers: [(Int, CheckedContinuation<Void, Never>)] = []
    var tickets: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Waits until the gate is open, or the task is cancelled.
  func pass() async {
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isOpen, watchers) = state.withLock { state in
          state.arrivals += 1
          let due = state.watchers.filter { $0.0 <= state.arrivals }.map(\.1)
          state.watchers.removeAll { $0.0 <= state.arrivals }
          if state.isOpen || Task.isCancelled { return (true, due) }
          state.waiting[ticket] = continuation
          return (false, due)
        }
        for watcher in watchers { watcher.resume() }
        if isOpen { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
    }
  }

  /// Waits until so many tasks have come.
  func waitForArrivals(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.arrivals >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Lets everyone through, now and later.
  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume() }
  }
}
