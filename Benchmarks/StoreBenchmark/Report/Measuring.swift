/// Measures operations in turns, so that all meet the same machine.
///
/// The samples are many and short, so that some are taken while nothing else runs.
///
/// - Returns: Their costs in the same order, which are empty when the arguments ask for others.
nonisolated(nonsending) func measure(
  _ operations: Operation..., rounds: Int = 60
) async -> [Cost] {
  var costs = operations.map { _ in Cost() }
  guard Report.shared.wants(operations.map(\.name)) else { return costs }
  // The first sample finds caches cold and queues small.
  for operation in operations {
    var warming = Cost()
    await operation.add(to: &warming)
  }
  for _ in 0..<rounds {
    for (index, operation) in operations.enumerated() { await operation.add(to: &costs[index]) }
  }
  for (operation, cost) in zip(operations, costs) {
    Report.shared.add(.cost(cost, of: operation.name))
  }
  return costs
}

/// Compares a cost with a peer's.
func compare(_ name: String, _ cost: Cost, to peer: Cost, atMost target: Double) {
  guard cost.isMeasured, peer.isMeasured else { return }
  Report.shared.add(
    .comparison(
      cost.best / peer.best, medians: cost.median / peer.median, unit: "×", with: name,
      target: target))
}

/// Compares a cost with a number of nanoseconds.
func compare(_ name: String, _ cost: Cost, atMost target: Double) {
  guard cost.isMeasured else { return }
  Report.shared.add(
    .comparison(cost.best, medians: cost.median, unit: "ns", with: name, target: target))
}

/// Compares a number of allocations with a target.
func compare(allocations cost: Cost, atMost target: Double) {
  guard cost.isMeasured else { return }
  let count = (cost.allocations * 10).rounded() / 10
  Report.shared.add(
    .comparison(count, medians: nil, unit: "allocations", with: "an operation", target: target))
}
