internal import CaseGenerator
internal import Glibc
internal import Synchronization

/// The comparison of one seed, by several jobs that share its batches.
final class CompareRun: Sendable {
  private let seed: UInt64
  private let options: CompareOptions
  private let nextBatch = Atomic<Int>(0)
  private let compared = Atomic<Int>(0)
  private let started = ContinuousClock.now
  private let lastReport = Mutex(ContinuousClock.now)

  init(seed: UInt64, options: CompareOptions) {
    self.seed = seed
    self.options = options
  }

  func compare() async throws -> Comparison {
    try await withThrowingTaskGroup(of: Comparison.self) { group in
      for _ in 0..<options.jobs {
        group.addTask { try self.work() }
      }
      var result = Comparison()
      for try await part in group { result.add(part) }
      return result
    }
  }

  /// One job: an oracle of its own.
  private func work() throws -> Comparison {
    let oracle = try KernelOracle()
    let generator = CaseGenerator(
      seed: seed,
      options: oracle.options(mayLiftLinkRestriction: options.mayLiftLinkRestriction))
    let perBatch = generator.options.casesPerBatch
    let batches = (options.cases + perBatch - 1) / perBatch
    var comparison = Comparison()
    while true {
      let index = nextBatch.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < batches else { break }
      let batch = generator.batch(index)
      comparison.add(batch, answers: try oracle.answers(to: batch))
      report(compared.wrappingAdd(batch.count, ordering: .relaxed).newValue)
    }
    try comparison.repeatDisturbed(with: oracle)
    return comparison
  }

  /// Prints a line on the standard error output every few seconds.
  private func report(_ count: Int) {
    let isDue = lastReport.withLock { last in
      let now = ContinuousClock.now
      guard now - last > .seconds(5) else { return false }
      last = now
      return true
    }
    if isDue {
      CompareCommand.write("seed \(seed): \(count) of \(options.cases)", to: STDERR_FILENO)
    }
  }

  func summary(of comparison: Comparison) -> String {
    let seconds = Double((ContinuousClock.now - started) / .milliseconds(1)) / 1000
    let rate = Int(Double(comparison.count) / max(seconds, 0.001))
    return """
      seed \(seed): \(comparison.count) cases, \(comparison.granted) granted, \
      \(comparison.disagreements.count) disagreements, \(comparison.doubleCounts) double counts \
      of links, \(seconds) s, \(rate) cases/s
      """
  }
}
