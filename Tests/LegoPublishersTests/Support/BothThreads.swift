import Dispatch
import Synchronization

/// Runs both closures at the same time, each on a thread of its own.
func onBothThreads(_ first: @Sendable () -> Void, _ second: @Sendable () -> Void) {
  let started = Atomic(0)
  DispatchQueue.concurrentPerform(iterations: 2) { index in
    started.add(1, ordering: .acquiringAndReleasing)
    // Bounded, because there may be one thread only.
    var patience = 100_000
    while started.load(ordering: .acquiring) < 2, patience > 0 { patience -= 1 }
    if index == 0 { first() } else { second() }
  }
}
