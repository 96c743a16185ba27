/// How long the calls of several threads took, over several runs.
struct Latency: Sendable {
  /// A call, in microseconds.
  struct Call: Sendable {
    let duration: Double
    /// The same without the time in which the thread was ready and had no core.
    let own: Double

    init(_ duration: Double, waiting: Double) {
      self.duration = duration
      own = max(0, duration - waiting)
    }
  }

  /// One run.
  struct Run: Sendable {
    /// Microseconds of every call, sorted.
    let calls: [Double]
    /// Microseconds of the longest call, without waits for a core.
    let longestOwn: Double
    /// How many changes the observer was told.
    let told: Int
    /// The most bytes that were allocated at a time during the run.
    let peak: Int

    init(_ calls: [Call], told: Int, peak: Int) {
      self.calls = calls.map(\.duration).sorted()
      longestOwn = calls.map(\.own).max() ?? .nan
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
      + "   longest \(median(\.longest).text) (best run \(best(\.longest).text)),"
      + " cores granted \(median(\.longestOwn).text) (\(best(\.longestOwn).text)) µs"
      + "   told \(Int(median { Double($0.told) })) of \(Int(median { Double($0.calls.count) }))"
      + "   peak \((median { Double($0.peak) } / 1024).text) KB"
  }
}
