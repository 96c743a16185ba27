/// Work that takes a given time on an idle machine, and the same number of instructions on a busy
/// one.
struct Work: Sendable {
  private let rounds: Int

  /// Finds the number of rounds that take the given time.
  init(lasting duration: Duration) {
    let sample = 100_000
    var best = Double.infinity
    for _ in 0..<50 {
      let start = ContinuousClock.now
      Self.spin(sample)
      best = min(best, (ContinuousClock.now - start).nanoseconds)
    }
    rounds = Int(duration.nanoseconds * Double(sample) / best)
  }

  func callAsFunction() {
    Self.spin(rounds)
  }

  private static func spin(_ rounds: Int) {
    var state: UInt64 = 1
    for _ in 0..<rounds { state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
    // Use the result, so the optimizer does not remove the loop.
    look(Int(truncatingIfNeeded: state))
  }
}
