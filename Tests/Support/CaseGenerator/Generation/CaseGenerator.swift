/// Generates reproducible random cases that target the edge cases of the decision.
///
/// A batch depends only on the seed, its index and the options. Batches can therefore be generated
/// in any order, in parallel, and again.
public struct CaseGenerator: Sendable {
  public let seed: UInt64
  public let options: GeneratorOptions

  public init(seed: UInt64, options: GeneratorOptions = GeneratorOptions()) {
    self.seed = seed
    self.options = options
  }

  /// Generates a batch, whose first case has the ID `index` × ``GeneratorOptions/casesPerBatch``.
  public func batch(_ index: Int) -> CaseBatch {
    var builder = BatchBuilder(
      random: RandomSource(seed: seed, stream: UInt64(truncatingIfNeeded: index)),
      options: options)
    return builder.build(firstID: index * options.casesPerBatch)
  }
}
