import AccessModel
import AnswerAgreement
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// Shows the answers of the recorded machines in every way.
@Suite struct `Every way of showing an answer of a recorded machine` {
  @Test func `agrees`() async throws {
    let recorded = try RecordedMachine(
      users: "ann:x:1000:1000::/home/ann:/bin/sh\n", groups: "video:x:44:bob,ann\n")
    let directory = try TemporaryDirectory()
    let devices = try RecordedDevicesTests().machine(
      in: directory, database: "E:ID_V4L_CAPABILITIES=:capture:\nG:uaccess\nV:1\n")
    for machine in [recorded.machine(), recorded.machine(["HOME": "/"]), devices] {
      for target in [Question.Target.kind(.camera), .kind(.album), .path("/dev/null"), .path("/")] {
        let facts = try machine.facts(for: Question(target))
        #expect(try await AnswerAgreement(facts).problems() == [], "\(target)")
      }
    }
  }
}
