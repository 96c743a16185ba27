public import AccessModel

/// Compares the answers of the kernel with those of the model.
public struct Comparison: Sendable {
  /// The number of cases that were compared.
  public private(set) var count = 0
  /// The number of cases that the kernel granted.
  public private(set) var granted = 0
  /// The number of cases that each rule of the model decided.
  public private(set) var rules: [Rule: Int] = [:]
  /// The number of cases that the kernel denied because it counted links twice; see
  /// ``DoubleCount``.
  public private(set) var doubleCounts = 0
  public private(set) var disagreements: [Disagreement] = []

  public init() {}

  /// Compares all cases of a batch with the kernel's answers.
  public mutating func add(_ batch: CaseBatch, answers: [Errno]) {
    var index = 0
    for trial in batch.trials {
      guard let first = trial.requests.first else { continue }
      var access = batch.access(
        id: batch.firstID + index, subject: trial.subject, request: first)
      let prepared = PreparedCase(access)
      for request in trial.requests {
        let answer = answers[index]
        count += 1
        if Self.isGranted(answer, to: request) { granted += 1 }
        let verdict = prepared.verdict(for: request)
        if let rule = verdict.rule { rules[rule, default: 0] += 1 }
        if index % 16 == 0 { checkSteps(of: prepared, request, verdict, answer, batch, index) }
        if !Self.agree(verdict.outcome, answer, request) {
          access.id = batch.firstID + index
          access.request = request
          note(
            Disagreement(access: access, kernel: answer, model: prepared.decision(for: request)))
        }
        index += 1
      }
    }
  }

  /// Checks that the full decision has the same result as the verdict, and ends with the deciding
  /// step.
  private mutating func checkSteps(
    of prepared: PreparedCase, _ request: Request, _ verdict: Verdict, _ answer: Errno,
    _ batch: CaseBatch, _ index: Int
  ) {
    let decision = prepared.decision(for: request)
    let isSame =
      decision.isGranted == verdict.isGranted && decision.rule == verdict.rule
      && decision.steps.last?.outcome == decision.outcome
      && decision.steps.dropLast().allSatisfy { $0.outcome == .granted }
    guard !isSame else { return }
    var access = prepared.access
    access.id = batch.firstID + index
    access.request = request
    disagreements.append(Disagreement(access: access, kernel: answer, model: decision))
  }

  private mutating func note(_ disagreement: Disagreement) {
    if DoubleCount.explains(disagreement) {
      doubleCounts += 1
    } else {
      disagreements.append(disagreement)
    }
  }

  /// Repeats the cases whose path lookup another process may have disturbed.
  public mutating func repeatDisturbed(with oracle: borrowing KernelOracle) throws(OracleError) {
    var rest: [Disagreement] = []
    for disagreement in disagreements {
      var isSettled = false
      for _ in 0..<3 where !isSettled && DoubleCount.mayExplain(disagreement) {
        let answer = try oracle.answers(to: CaseBatch(disagreement.access))[0]
        let verdict = PreparedCase(disagreement.access).verdict()
        isSettled = Self.agree(verdict.outcome, answer, disagreement.access.request)
      }
      if isSettled { doubleCounts += 1 } else { rest.append(disagreement) }
    }
    disagreements = rest
  }

  /// Adds the results of another job.
  public mutating func add(_ other: Comparison) {
    count += other.count
    granted += other.granted
    doubleCounts += other.doubleCounts
    rules.merge(other.rules) { $0 + $1 }
    disagreements += other.disagreements
  }

  /// Returns whether an outcome of the model matches the kernel's answer.
  ///
  /// All facts of a generated case are known, so an undecided outcome never matches.
  public static func agree(_ outcome: Verdict.Outcome, _ answer: Errno, _ request: Request) -> Bool
  {
    switch outcome {
    case .granted: isGranted(answer, to: request)
    case .denied(let errno): errno == answer
    case .undecided: false
    }
  }

  /// Returns whether all permission checks passed, even if the driver then failed the call.
  public static func isGranted(_ answer: Errno, to request: Request) -> Bool {
    guard case .open = request else { return answer == 0 }
    return [
      .success, .noSuchAddress, .noSuchDevice, .busy, .inputOutput, .tryAgain, .invalidArgument,
    ].contains(answer)
  }
}
