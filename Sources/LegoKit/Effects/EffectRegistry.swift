internal import Synchronization

/// The effects under way.
struct EffectRegistry<B: Blueprint>: Sendable {
  private var runs: [UInt64: EffectRun<B>] = [:]
  private var numbers: UInt64 = 0

  var isEmpty: Bool { runs.isEmpty }

  var count: Int { runs.count }

  mutating func nextNumber() -> UInt64 {
    numbers += 1
    return numbers
  }

  mutating func add(_ run: EffectRun<B>) {
    runs[run.number] = run
  }

  mutating func remove(_ run: EffectRun<B>) -> EffectRun<B>? {
    let removed = runs.removeValue(forKey: run.number)
    // A burst must not keep its memory for good.
    if runs.isEmpty, runs.capacity > 64 { runs = [:] }
    return removed
  }

  func contains(root: UInt64) -> Bool {
    runs.values.contains { $0.root == root }
  }

  /// Ends the effects that match, and gives them back to be cancelled outside the lock.
  mutating func end(where matches: (EffectRun<B>) -> Bool) -> [EffectRun<B>] {
    let ended = runs.values.filter(matches)
    for run in ended {
      run.isLive.store(false, ordering: .releasing)
      _ = remove(run)
    }
    return ended
  }
}
