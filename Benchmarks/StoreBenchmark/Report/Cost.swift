/// The cost of an operation, from several samples of many repetitions each.
struct Cost: Sendable {
  private(set) var samples: [Double] = []
  /// The lowest number of allocations per operation in any sample.
  ///
  /// Other samples may include the growth of a queue or the start of a thread.
  private(set) var allocations = Double.infinity

  /// The nanoseconds per operation in the best sample.
  var best: Double { samples.min() ?? .nan }

  /// The median of the nanoseconds per operation.
  var median: Double { samples.isEmpty ? .nan : samples.sorted()[samples.count / 2] }

  /// A Boolean value that indicates whether there is at least one sample.
  var isMeasured: Bool { !samples.isEmpty }

  mutating func add(nanoseconds: Double, allocations: Double) {
    samples.append(nanoseconds)
    self.allocations = min(self.allocations, allocations)
  }
}
