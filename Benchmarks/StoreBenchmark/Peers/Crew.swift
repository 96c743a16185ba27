import CAllocationCounter
import Dispatch

/// Threads that call a closure over and over, all at once.
struct Crew: Sendable {
  let threads: Int
  /// How often each thread calls.
  let calls: Int

  /// Runs the closure on every thread, and measures each call of it.
  ///
  /// - Parameters:
  ///   - told: How many changes the observer was told so far.
  ///   - body: The closure, which gets numbers that differ.
  /// - Returns: How long the calls took.
  func run(
    told: @Sendable () -> Int, _ body: @escaping @Sendable (Int) -> Void
  ) async -> Latency.Run {
    let arrived = Tally()
    let before = told()
    allocation_watch()
    let (all, peak) = await withTaskGroup { group in
      for thread in 0..<threads {
        group.addTask {
          await onThread {
            // Nobody begins before everybody is there.
            arrived.add()
            while arrived.value < threads {}
            let waits = CoreWaits()
            let measured = (0..<calls).map { call in
              let waited = waits.microseconds
              let start = ContinuousClock.now
              body(thread * calls + call)
              let duration = (ContinuousClock.now - start).nanoseconds / 1_000
              return Latency.Call(duration, waiting: waits.microseconds - waited)
            }
            return (measured, allocation_peak())
          }
        }
      }
      return await group.reduce(into: ([Latency.Call](), 0)) { all, own in
        all = (all.0 + own.0, max(all.1, own.1))
      }
    }
    // What was built may be told a little later, by a thread of the store's own.
    let deadline = ContinuousClock.now + .seconds(2)
    while told() - before < all.count, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(1))
    }
    allocation_unwatch()
    // What the measurement itself keeps is no part of it.
    let own = all.count * MemoryLayout<Latency.Call>.stride
    return Latency.Run(all, told: told() - before, peak: max(0, peak - own))
  }

  /// Runs a closure on a thread that the queue has for itself.
  private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async
    -> Result
  {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "builder").async { continuation.resume(returning: body()) }
    }
  }
}
