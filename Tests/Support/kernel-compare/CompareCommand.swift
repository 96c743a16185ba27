internal import AccessModel
internal import CaseGenerator
internal import Glibc

/// Compares the answers for each seed, and reports the results.
enum CompareCommand {
  static func run(_ arguments: [String]) async -> Int32 {
    guard let options = CompareOptions(arguments) else {
      write(CompareOptions.help, to: STDERR_FILENO)
      return 64
    }
    guard !options.wantsHelp else {
      write(CompareOptions.help, to: STDOUT_FILENO)
      return 0
    }
    if options.triesFixes { return tryFixes(options) }
    var disagreements = 0
    var faults = FaultCount()
    for offset in 0..<options.seeds {
      let seed = options.seed &+ UInt64(offset)
      let run = CompareRun(seed: seed, options: options)
      let comparison: Comparison
      let shown: FaultCount
      do {
        (comparison, shown) = try await run.compare()
      } catch {
        write("kernel-compare: \(error)", to: STDERR_FILENO)
        return 2
      }
      faults.add(shown)
      disagreements += comparison.disagreements.count
      for disagreement in comparison.disagreements.prefix(20) {
        write(disagreement.description, to: STDOUT_FILENO)
      }
      write(run.summary(of: comparison), to: STDOUT_FILENO)
      if options.wantsRules {
        for (rule, count) in comparison.rules.sorted(by: { $0.value > $1.value }) {
          write("  \(rule.rawValue): \(count)", to: STDOUT_FILENO)
        }
      }
    }
    guard options.wantsFaults else { return disagreements == 0 ? 0 : 1 }
    for (fault, count) in faults.table { write("  \(fault): \(count)", to: STDOUT_FILENO) }
    return disagreements == 0 && !faults.counts.contains(0) ? 0 : 1
  }

  /// Runs every proven fix of random refused scenes.
  private static func tryFixes(_ options: CompareOptions) -> Int32 {
    var faults = 0
    for offset in 0..<options.seeds {
      let seed = options.seed &+ UInt64(offset)
      let started = ContinuousClock.now
      let comparison: FixComparison
      do throws(OracleError) {
        let oracle = try KernelOracle()
        comparison = try FixRun(seed: seed, options: oracle.options())
          .compare(count: options.cases, on: oracle)
      } catch {
        write("kernel-compare: \(error)", to: STDERR_FILENO)
        return 2
      }
      for description in comparison.descriptions.prefix(40) {
        write(description, to: STDOUT_FILENO)
      }
      let seconds = Double((ContinuousClock.now - started) / .milliseconds(1)) / 1000
      let counts = FixComparison.Fault.allCases.map {
        "\(comparison.faults[$0] ?? 0) \($0.rawValue)"
      }
      write(
        """
        seed \(seed): \(comparison.scenes) refused scenes, \(comparison.fixes) fixes with \
        \(comparison.commands) commands, \(counts.joined(separator: ", ")), \
        \(comparison.withoutFix.values.reduce(0, +)) scenes without a fix, \(seconds) s
        """, to: STDOUT_FILENO)
      faults += comparison.faults.values.reduce(0, +)
      if options.wantsUnfixed {
        for scene in comparison.unfixed { write("without a fix: \(scene)", to: STDOUT_FILENO) }
      }
      guard options.wantsRules else { continue }
      for (rule, count) in comparison.rules.sorted(by: { $0.value > $1.value }) {
        let without = comparison.withoutFix[rule] ?? 0
        write("  \(rule.rawValue): \(count), \(without) without a fix", to: STDOUT_FILENO)
      }
    }
    return faults == 0 ? 0 : 1
  }

  static func write(_ text: String, to descriptor: Int32) {
    var rest = Array((text + "\n").utf8)[...]
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }
}
