import AccessModel
import AnswerAgreement
import Testing

/// Hand-picked situations, with and without the kernel's answer.
@Suite struct `Every way of showing an answer` {
  @Test func `agrees on every scene`() async throws {
    for scene in KernelScene.all {
      var facts = AccessFacts(access: scene.access)
      #expect(try await AnswerAgreement(facts).problems() == [], "\(scene.name)")
      let request = scene.access.request
      for errno in [scene.errno, 0, 2] {
        facts.kernelChecks = [
          KernelCheck(path: request.path, mode: request.permissions, errno: errno)
        ]
        #expect(try await AnswerAgreement(facts).problems() == [], "\(scene.name): \(errno)")
      }
    }
  }
}
