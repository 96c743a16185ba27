import CAllocationCounter
import Dispatch

/// A group of threads that call a closure repeatedly and at the same time.
struct Crew: Sendable {
  let threads: Int
  /// The number of calls per thread.
  let calls: Int

  /// Runs the closure on every thread, and measures each call.
  ///
  /// - Parameters:
  ///   - told: Returns the number of changes that the observer has received so far.
  ///   - body: The closure, which receives a different number in each call.
  /// - Returns: The duration of the calls.
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
            // Start only when all threads are ready.
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
    // One of the store's own threads may deliver the last changes after the builds return.
    let deadline = ContinuousClock.now + .seconds(2)
    while told() - before < all.count, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(1))
    }
    allocation_unwatch()
    // Exclude the memory of the measurement itself.
    let own = all.count * MemoryLayout<Latency.Call>.stride
    return Latency.Run(all, told: told() - before, peak: max(0, peak - own))
  }

  /// Runs a closure on a thread that does nothing else.
  private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async
    -> Result
  {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "builder").async { continuation.resume(returning: body()) }
    }
  }
}
