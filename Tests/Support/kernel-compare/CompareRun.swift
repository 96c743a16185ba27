internal import CaseGenerator
internal import Glibc
internal import Synchronization

/// The comparison for one seed, whose batches are shared by several jobs.
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

  func compare() async throws -> (comparison: Comparison, faults: FaultCount) {
    try await withThrowingTaskGroup(of: (Comparison, FaultCount).self) { group in
      for _ in 0..<options.jobs {
        group.addTask { try self.work() }
      }
      var comparison = Comparison()
      var faults = FaultCount()
      for try await part in group {
        comparison.add(part.0)
        faults.add(part.1)
      }
      return (comparison, faults)
    }
  }

  /// Runs one job, which has its own oracle.
  private func work() throws -> (Comparison, FaultCount) {
    let oracle = try KernelOracle()
    let generator = CaseGenerator(
      seed: seed,
      options: oracle.options(mayLiftLinkRestriction: options.mayLiftLinkRestriction))
    let perBatch = generator.options.casesPerBatch
    let batches = (options.cases + perBatch - 1) / perBatch
    var comparison = Comparison()
    var faults = FaultCount()
    while true {
      let index = nextBatch.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < batches else { break }
      let batch = generator.batch(index)
      let answers = try oracle.answers(to: batch)
      comparison.add(batch, answers: answers)
      if options.wantsFaults { faults.add(batch, answers: answers) }
      report(compared.wrappingAdd(batch.count, ordering: .relaxed).newValue)
    }
    try comparison.repeatDisturbed(with: oracle)
    return (comparison, faults)
  }

  /// Prints the progress to standard error every five seconds.
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
