import AccessModel
import CaseGenerator
import Testing

@Suite("Planted faults", .requiresKernelOracle)
struct PlantedFaultTests {
  /// Cases with the kernel's answers, asked for once.
  static let sample: Result<[(access: AccessCase, answer: Int32)], OracleError> = {
    do throws(OracleError) {
      let oracle = try KernelOracle()
      let generator = CaseGenerator(seed: 20, options: oracle.options())
      var sample: [(access: AccessCase, answer: Int32)] = []
      for index in 0..<250 {
        let batch = generator.batch(index)
        let answers = try oracle.answers(to: batch)
        sample += zip(batch.cases, answers).map { (access: $0, answer: $1) }
      }
      return .success(sample)
    } catch {
      return .failure(error)
    }
  }()

  @Test(arguments: PlantedFault.all)
  func `The kernel contradicts an engine that has the fault`(fault: PlantedFault) throws {
    let sample = try Self.sample.get()
    let isNoticed = sample.contains { fault.isExposed(by: $0.access, answer: $0.answer) }
    #expect(isNoticed, "none of \(sample.count) cases shows it")
  }
}
