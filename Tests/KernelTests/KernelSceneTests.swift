import AccessModel
import CaseGenerator
import Testing

@Suite("Chosen scenes against the running kernel", .requiresKernelOracle, .serialized)
struct KernelSceneTests {
  @Test(arguments: KernelScene.all)
  func `A child with the credentials gets what the model says`(scene: KernelScene) throws {
    let oracle = try KernelOracle()
    if scene.access.mounts.contains(where: { $0.idmap != nil }) && !oracle.options().idMappedMounts
    {
      try Test.cancel("this kernel has no id-mapped mounts of tmpfs")
    }
    let answer = try oracle.answers(to: CaseBatch(scene.access))[0]
    #expect(answer == scene.errno, "the kernel answers otherwise")
    let decision = scene.access.decide()
    switch decision.outcome {
    case .granted: #expect(Comparison.isGranted(answer, to: scene.access.request))
    case .denied(let errno): #expect(errno == answer)
    case .undecided(let reason): Issue.record("undecided: \(reason)")
    }
  }
}
