import AccessModel
import AnswerAgreement
import DevicePermissions
import DevicePermissionsTesting
import JSONText
import LinuxDevices
import Testing

@testable import DeviceAccessCommands

/// Runs the machines and snapshots of the other tests through every command that shows an answer.
@Suite struct `Every way of showing an answer` {
  static let questions: [Question] =
    DeviceKind.all.map { Question(.kind($0)) }
    + [
      Question(.kind(.album), purpose: .create), Question(.path("/dev/video1")),
      Question(.path("/dev/none")), Question(.path("/dev")),
    ]

  @Test(arguments: ["alice", "bob", "root"])
  func `agrees on the laptop`(user: String) async throws {
    for question in Self.questions {
      let facts = try Machines.laptop(running: user).facts(for: question)
      #expect(try await AnswerAgreement(facts).problems() == [])
    }
  }

  @Test func `agrees on the example`() async throws {
    let facts = try JSONReader.decode(
      AccessFacts.self, from: PackageResources.example_snapshot_json)
    #expect(try await AnswerAgreement(facts).problems() == [])
    #expect(try await AnswerAgreement(Samples.facts).problems() == [])
  }

  @Test func `agrees on this machine`() async throws {
    for question in Self.questions {
      let facts = try LinuxMachine().facts(for: question)
      #expect(try await AnswerAgreement(facts).problems() == [])
    }
  }
}
