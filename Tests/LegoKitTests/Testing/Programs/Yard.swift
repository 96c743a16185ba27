import LegoKit
import Synchronization

/// Where the tasks of a program's effects wait, at gates or for a time, until one is let go.
///
/// One goes at a time, so that what a program does depends on nothing but the program.
final class Yard: Clock, Sendable {
  typealias Instant = SchedulerTime

  /// What a task waits for; those that wait are let go by this, not by when they came.
  enum Place: Sendable, Hashable, Comparable {
    case gate(Int)
    case time(Instant)
  }

  private struct State: Sendable {
    var now = Instant(nanoseconds: 0)
    var gates = 0
    var closingGates: [Int] = []
    var tickets = 0
    var waiting: [Int: (place: Place, continuation: CheckedContinuation<Void, Never>)] = [:] {
      didSet { version += 1 }
    }
    var version = 0
  }

  private let state = Mutex(State())
  let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }

  /// How many wait, and how often one came or went.
  var count: (waiting: Int, version: Int) {
    state.withLock { ($0.waiting.count, $0.version) }
  }

  /// The places where someone waits, in order.
  var places: [Place] { state.withLock { $0.waiting.values.map(\.place).sorted() } }

  /// A gate that nothing else waits at.
  func nextGate() -> Int {
    state.withLock { state in
      state.gates += 1
      return state.gates
    }
  }

  /// The gates of what is owed when a store is closed.
  var closingGates: [Int] { state.withLock { $0.closingGates } }

  /// The same for what is owed when a store is closed.
  func nextClosingGate() -> Int {
    let gate = nextGate()
    state.withLock { $0.closingGates.append(gate) }
    return gate
  }

  /// A span of about a length, which ends when no other does.
  func own(_ duration: Duration) -> Duration {
    // Sums of two must differ as well, since one sleep may begin at the end of another.
    var random = SeededNumbers(state: UInt64(nextGate()))
    return duration + .nanoseconds(Int.random(in: 0..<1_000_000, using: &random))
  }

  func pass(_ gate: Int) async { await wait(at: .gate(gate)) }

  func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    await wait(at: .time(deadline))
    try Task.checkCancellation()
  }

  /// Lets one go; one who waited for a time takes the clock there.
  func letGo(_ place: Place) {
    let continuation = state.withLock { state in
      if case .time(let time) = place { state.now = max(state.now, time) }
      let ticket = state.waiting.first { $0.value.place == place }?.key
      return ticket.flatMap { state.waiting.removeValue(forKey: $0)?.continuation }
    }
    continuation?.resume()
  }

  private func wait(at place: Place) async {
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { state in
          if Task.isCancelled { return false }
          state.waiting[ticket] = (place, continuation)
          return true
        }
        if !isWaiting { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: ticket) }?.continuation.resume()
    }
  }
}
