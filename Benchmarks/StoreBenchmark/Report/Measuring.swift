/// Measures operations alternately, so external influences affect all of them equally.
///
/// The samples are many and short, so that some are taken while nothing else runs.
///
/// - Returns: The costs, in the order of the operations. They have no samples if the arguments
///   exclude these operations.
nonisolated(nonsending) func measure(
  _ operations: Operation..., rounds: Int = 60
) async -> [Cost] {
  var costs = operations.map { _ in Cost() }
  guard Report.shared.wants(operations.map(\.name)) else { return costs }
  // Discard the first sample, which includes cold caches and growing queues.
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

/// Reports the ratio of a cost to the cost of a peer, and compares it with a target.
func compare(_ name: String, _ cost: Cost, to peer: Cost, atMost target: Double) {
  guard cost.isMeasured, peer.isMeasured else { return }
  Report.shared.add(
    .comparison(
      cost.best / peer.best, medians: cost.median / peer.median, unit: "×", with: name,
      target: target))
}

/// Reports a cost in nanoseconds, and compares it with a target.
func compare(_ name: String, _ cost: Cost, atMost target: Double) {
  guard cost.isMeasured else { return }
  Report.shared.add(
    .comparison(cost.best, medians: cost.median, unit: "ns", with: name, target: target))
}

/// Reports the number of allocations per operation, and compares it with a target.
func compare(allocations cost: Cost, atMost target: Double) {
  guard cost.isMeasured else { return }
  let count = (cost.allocations * 10).rounded() / 10
  Report.shared.add(
    .comparison(count, medians: nil, unit: "allocations", with: "an operation", target: target))
}
