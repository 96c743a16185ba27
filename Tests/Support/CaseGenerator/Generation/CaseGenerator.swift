/// Makes random cases that aim at the corners of the decision, the same ones for the same seed.
///
/// A batch depends on the seed, its index and the options alone, so that batches can be made in
/// any order and by several jobs, and one of them can be made again.
public struct CaseGenerator: Sendable {
  public let seed: UInt64
  public let options: GeneratorOptions

  public init(seed: UInt64, options: GeneratorOptions = GeneratorOptions()) {
    self.seed = seed
    self.options = options
  }

  /// Makes one batch; its cases are numbered from `index` × ``GeneratorOptions/casesPerBatch``.
  public func batch(_ index: Int) -> CaseBatch {
    var builder = BatchBuilder(
      random: RandomSource(seed: seed, stream: UInt64(truncatingIfNeeded: index)),
      options: options)
    return builder.build(firstID: index * options.casesPerBatch)
  }
}
