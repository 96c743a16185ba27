/// What an operation costs, taken from several samples of many repetitions each.
struct Cost: Sendable {
  private(set) var samples: [Double] = []
  /// The fewest allocations of an operation; now and then a queue grows or a thread starts.
  private(set) var allocations = Double.infinity

  /// Nanoseconds of the best sample.
  var best: Double { samples.min() ?? .nan }

  /// Nanoseconds of the sample in the middle.
  var median: Double { samples.isEmpty ? .nan : samples.sorted()[samples.count / 2] }

  /// Whether it was measured at all.
  var isMeasured: Bool { !samples.isEmpty }

  mutating func add(nanoseconds: Double, allocations: Double) {
    samples.append(nanoseconds)
    self.allocations = min(self.allocations, allocations)
  }
}
