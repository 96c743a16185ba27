/// Work that takes some time on an idle machine, and as many instructions on a busy one.
struct Work: Sendable {
  private let rounds: Int

  /// Finds how many rounds fill a time.
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
    // A result that is used is not optimised away.
    look(Int(truncatingIfNeeded: state))
  }
}
