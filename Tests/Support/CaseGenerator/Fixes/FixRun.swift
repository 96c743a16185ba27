public import AccessModel

/// Generates a reproducible sequence of random refused scenes.
public struct FixRun: Sendable {
  public let seed: UInt64
  public let options: GeneratorOptions

  public init(seed: UInt64, options: GeneratorOptions) {
    self.seed = seed
    self.options = options
  }

  /// Returns refused scenes of a batch, only a few per batch so that many different trees occur.
  public func scenes(ofBatch index: Int) -> [FixScene] {
    let batch = CaseGenerator(seed: seed, options: options).batch(index)
    var random = RandomSource(seed: seed ^ 0x5ce_e5, stream: UInt64(truncatingIfNeeded: index))
    var rules: [Rule: Int] = [:]
    var scenes: [FixScene] = []
    for access in random.shuffled(batch.cases) where scenes.count < 6 {
      // Skip requests that use the real IDs, as access(2) does; no command asks for them.
      if case .access(_, _, false, _) = access.request { continue }
      let decision = access.decide()
      guard case .denied = decision.outcome, let rule = decision.rule, !rule.isOfThePath,
        rules[rule, default: 0] < 2
      else { continue }
      rules[rule, default: 0] += 1
      scenes.append(FixScene(access, of: batch, random: &random))
    }
    return scenes
  }

  /// Tries the given number of scenes, or stops at the first fault of the given kind.
  ///
  /// - Throws: ``OracleError`` if a scene cannot be built.
  public func compare(
    count: Int, on oracle: borrowing KernelOracle, until fault: FixComparison.Fault? = nil,
    distortedBy distortion: (@Sendable (Remedy) -> Remedy?)? = nil
  ) throws(OracleError) -> FixComparison {
    var comparison = FixComparison()
    comparison.distortion = distortion
    var index = 0
    while comparison.scenes < count {
      for scene in scenes(ofBatch: index) where comparison.scenes < count {
        try comparison.add(scene, on: oracle)
        if let fault, comparison.faults[fault] != nil { return comparison }
      }
      index += 1
    }
    return comparison
  }
}

extension Rule {
  /// A Boolean value that indicates whether the path itself is wrong, so no fix can give access.
  fileprivate var isOfThePath: Bool {
    switch self {
    case .walkNoEntry, .walkNotDirectory, .walkTooManyLinks, .walkNameTooLong, .openIsDirectory:
      true
    default: false
    }
  }
}
