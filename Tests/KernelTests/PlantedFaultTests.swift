import AccessModel
import CaseGenerator
import Testing

@Suite("Planted faults", .requiresKernelOracle)
struct PlantedFaultTests {
  /// Cases with the kernel's answers.
  struct Sample {
    var options: GeneratorOptions
    var cases: [(access: AccessCase, answer: Errno)] = []
  }

  /// The sample, which is requested from the kernel once.
  static let sample: Result<Sample, OracleError> = {
    do throws(OracleError) {
      let oracle = try KernelOracle()
      let generator = CaseGenerator(seed: 20, options: oracle.options())
      var sample = Sample(options: generator.options)
      for index in 0..<400 {
        let batch = generator.batch(index)
        let answers = try oracle.answers(to: batch)
        sample.cases += zip(batch.cases, answers).map { (access: $0, answer: $1) }
      }
      return .success(sample)
    } catch {
      return .failure(error)
    }
  }()

  @Test(arguments: PlantedFault.all)
  func `The kernel contradicts an engine that has the fault`(fault: PlantedFault) throws {
    let sample = try Self.sample.get()
    guard fault.isPossible(sample.options) else {
      try Test.cancel("this kernel has nothing that could show the fault")
    }
    let isNoticed = sample.cases.contains { fault.isExposed(by: $0.access, answer: $0.answer) }
    #expect(isNoticed, "none of \(sample.cases.count) cases shows it")
  }
}
