import CAllocationCounter

/// An operation to measure.
///
/// The closure receives the number of repetitions. It runs on the actor that calls
/// ``measure(_:rounds:)``.
struct Operation: Sendable {
  let name: String
  let count: Int
  let body: @Sendable (Int) async -> Void

  init(_ name: String, count: Int = 25_000, _ body: @escaping @Sendable (Int) async -> Void) {
    self.name = name
    self.count = count
    self.body = body
  }

  func add(to cost: inout Cost) async {
    let before = allocation_count()
    let start = ContinuousClock.now
    await body(count)
    let nanoseconds = (ContinuousClock.now - start).nanoseconds
    let allocations = allocation_count() - before
    cost.add(
      nanoseconds: nanoseconds / Double(count), allocations: Double(allocations) / Double(count))
  }
}

extension Duration {
  var nanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
  }
}
