/// Repeated measurements of the same work.
struct Measurement {
  private static let rounds = 11
  private static let count = 100_000

  let name: String
  /// The nanoseconds per value in each round, in ascending order.
  private let times: [Double]

  /// Measures a closure, which receives the number of values to process.
  init(_ name: String, _ work: (Int) -> Int) {
    self.name = name
    var times: [Double] = []
    for _ in 0..<Self.rounds {
      let time = ContinuousClock().measure { Checksum.add(work(Self.count)) }
      times.append(time / .nanoseconds(Self.count))
    }
    self.times = times.sorted()
  }

  var median: Double { times[times.count / 2] }
  var best: Double { times[0] }

  var line: String {
    let name = name + String(repeating: " ", count: max(0, 44 - name.count))
    return name + Self.text(median) + Self.text(best)
  }

  private static func text(_ nanoseconds: Double) -> String {
    let text = "\(Int((nanoseconds * 10).rounded()) / 10).\(Int((nanoseconds * 10).rounded()) % 10)"
    return String(repeating: " ", count: max(0, 10 - text.count)) + text
  }
}
