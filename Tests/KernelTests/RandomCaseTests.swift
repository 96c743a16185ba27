import AccessModel
import CaseGenerator
import Testing

@Suite("Random cases against the running kernel", .requiresKernelOracle, .serialized)
struct RandomCaseTests {
  /// The minimum number of cases per seed.
  static let cases = 5_200

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `The model answers as open(2) and faccessat2(2) do`(seed: UInt64) throws {
    let comparison = try Self.compare(seed: seed)
    #expect(comparison.count >= Self.cases)
    #expect(comparison.disagreements.isEmpty, "\(Self.text(of: comparison.disagreements))")
    // If almost every case were refused, a model that refuses everything would go unnoticed.
    #expect(comparison.granted > comparison.count / 10)
    #expect(comparison.granted < comparison.count / 2)
  }

  @Test func `Every rule decides some case`() throws {
    let options = try KernelOracle().options()
    var expected = Set(Rule.allCases)
    // tmpfs supports creating files.
    expected.remove(.createUnsupported)
    if !options.idMappedMounts { expected.remove(.inodeUnmappedID) }
    if !options.deviceCgroups { expected.remove(.deviceCgroup) }
    if !options.inodeFlags { expected.subtract([.inodeImmutable, .inodeAppendOnly]) }
    let reached = Set(try Self.compare(seed: 5).rules.keys)
    #expect(expected.subtracting(reached).isEmpty)
  }

  static func compare(seed: UInt64) throws -> Comparison {
    let oracle = try KernelOracle()
    let generator = CaseGenerator(seed: seed, options: oracle.options())
    var comparison = Comparison()
    var index = 0
    while comparison.count < cases {
      let batch = generator.batch(index)
      comparison.add(batch, answers: try oracle.answers(to: batch))
      index += 1
    }
    try comparison.repeatDisturbed(with: oracle)
    return comparison
  }

  static func text(of disagreements: [Disagreement]) -> String {
    disagreements.prefix(5).map(\.description).joined(separator: "\n")
  }
}
