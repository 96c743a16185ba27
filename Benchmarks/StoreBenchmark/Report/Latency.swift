/// How long the calls of several threads took, over several runs.
struct Latency: Sendable {
  /// One run.
  struct Run: Sendable {
    /// Microseconds of every call, sorted.
    let calls: [Double]
    /// How many changes the observer was told.
    let told: Int
    /// The most bytes that were allocated at a time during the run.
    let peak: Int

    init(_ calls: [Double], told: Int, peak: Int) {
      self.calls = calls.sorted()
      self.told = told
      self.peak = peak
    }

    var longest: Double { calls.last ?? .nan }

    func quantile(_ part: Double) -> Double {
      calls.isEmpty ? .nan : calls[min(calls.count - 1, Int(Double(calls.count) * part))]
    }
  }

  private(set) var runs: [Run] = []

  mutating func add(_ run: Run) {
    runs.append(run)
  }

  /// The run in the middle by a number of each.
  func median(_ number: (Run) -> Double) -> Double {
    runs.isEmpty ? .nan : runs.map(number).sorted()[runs.count / 2]
  }

  /// The least of a number of each run.
  func best(_ number: (Run) -> Double) -> Double { runs.map(number).min() ?? .nan }

  var text: String {
    "median \(median { $0.quantile(0.5) }.text)   p99 \(median { $0.quantile(0.99) }.text)"
      + "   p99.9 \(median { $0.quantile(0.999) }.text)"
      + "   longest \(median(\.longest).text) (best run \(best(\.longest).text)) µs"
      + "   told \(Int(median { Double($0.told) })) of \(Int(median { Double($0.calls.count) }))"
      + "   peak \((median { Double($0.peak) } / 1024).text) KB"
  }
}
