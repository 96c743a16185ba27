import CAllocationCounter

/// What an operation costs, taken from several samples.
struct Cost {
  var best = Double.infinity
  var samples: [Double] = []
  var allocations = Double.infinity

  var median: Double { samples.sorted()[samples.count / 2] }

  mutating func add(_ nanoseconds: Double, _ allocations: Double) {
    best = min(best, nanoseconds)
    samples.append(nanoseconds)
    // The fewest are the operation's own; now and then a queue grows or a thread starts.
    self.allocations = min(self.allocations, allocations)
  }
}

/// An operation to be measured: the closure repeats it so many times.
struct Operation {
  let name: String
  let count: Int
  let body: (Int) async -> Void

  init(_ name: String, count: Int = 100_000, _ body: @escaping (Int) async -> Void) {
    self.name = name
    self.count = count
    self.body = body
  }

  func sample() async -> (Double, Double) {
    let before = allocation_count()
    let clock = ContinuousClock()
    let start = clock.now
    await body(count)
    let (seconds, attoseconds) = (clock.now - start).components
    let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    return (nanoseconds / Double(count), Double(allocation_count() - before) / Double(count))
  }
}

/// Measures an operation and its peer in turns, so that both meet the same machine.
func measure(_ operations: Operation..., rounds: Int = 15) async -> [Cost] {
  var costs = operations.map { _ in Cost() }
  if let wanted = CommandLine.arguments.dropFirst().first,
    !operations.contains(where: { $0.name.contains(wanted) })
  {
    return costs
  }
  for operation in operations { _ = await operation.sample() }
  for _ in 0..<rounds {
    for (index, operation) in operations.enumerated() {
      let (nanoseconds, allocations) = await operation.sample()
      costs[index].add(nanoseconds, allocations)
    }
  }
  for (operation, cost) in zip(operations, costs) {
    line(operation.name, cost)
  }
  return costs
}

func line(_ name: String, _ cost: Cost) {
  print(
    "  \(name.padded(to: 44)) best \(cost.best.text) ns   median \(cost.median.text) ns"
      + "   allocations \(cost.allocations.text)")
}

/// Compares two costs with a target.
func compare(_ cost: Cost, to peer: Cost, atMost target: Double) {
  if cost.samples.isEmpty { return }
  let ratio = cost.best / peer.best
  let median = cost.median / peer.median
  print(
    "  → \(ratio.text) × the peer (medians \(median.text) ×); target ≤ \(target.text) × "
      + (ratio <= target ? "met" : "MISSED"))
}

/// Compares a number of allocations with a target.
func compare(allocations cost: Cost, atMost target: Double) {
  if cost.samples.isEmpty { return }
  print(
    "  → \(cost.allocations.text) allocations; target ≤ \(target.text) "
      + (cost.allocations <= target + 0.05 ? "met" : "MISSED"))
}

extension Double {
  /// The number with as many digits as say something.
  var text: String {
    let scaled = (self * (self < 10 ? 100 : 1)).rounded() / (self < 10 ? 100 : 1)
    return scaled == scaled.rounded() ? "\(Int(scaled))" : "\(scaled)"
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
