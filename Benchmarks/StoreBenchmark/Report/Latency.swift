/// The durations of calls on several threads, over several runs.
struct Latency: Sendable {
  /// The duration of one call, in microseconds.
  struct Call: Sendable {
    let duration: Double
    /// The duration, excluding the time in which the thread was ready but had no core.
    let own: Double

    init(_ duration: Double, waiting: Double) {
      self.duration = duration
      own = max(0, duration - waiting)
    }
  }

  /// The results of one run.
  struct Run: Sendable {
    /// The durations of all calls in microseconds, in ascending order.
    let calls: [Double]
    /// The duration of the longest call in microseconds, excluding waits for a core.
    let longestOwn: Double
    /// The number of changes that the observer received.
    let told: Int
    /// The peak number of bytes allocated during the run.
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

  /// Returns the median of a number over all runs.
  func median(_ number: (Run) -> Double) -> Double {
    runs.isEmpty ? .nan : runs.map(number).sorted()[runs.count / 2]
  }

  /// Returns the minimum of a number over all runs.
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
