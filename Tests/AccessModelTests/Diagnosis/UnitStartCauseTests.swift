import AccessModel
import Testing

@Suite struct `Whether a unit can start` {
  private func explanation(
    _ setting: ServiceFacts.PolicySetting, allowsNull: Bool, isRunning: Bool = false
  ) -> Explanation {
    Fixtures.camera.with { fixtures in
      fixtures.join(Fixtures.video)
      var allowed = [
        DeviceCgroup.Exception(
          isBlock: false, major: 81, minor: 0, read: true, write: true, makeNode: false)
      ]
      if allowsNull {
        allowed.append(
          DeviceCgroup.Exception(
            isBlock: false, major: 1, minor: 3, read: true, write: true, makeNode: false))
      }
      let list = DeviceCgroup(defaultBehavior: .deny, exceptions: allowed)
      var service = ServiceFacts()
      service.isRunning = isRunning
      service.policies = [.init(unit: "camera.service", list: list, setting: setting)]
      fixtures.facts.origin = SubjectOrigin(.unit, name: "camera.service")
      fixtures.facts.confinement.unit = "camera.service"
      fixtures.facts.confinement.service = service
      fixtures.facts.access.subject.deviceCgroup = list
    }.explain()
  }

  @Test func `a strict policy without the null device keeps it from starting`() throws {
    let explanation = explanation(.strict, allowsNull: false)
    #expect(explanation.answer == .allowed)
    let cause = try #require(explanation.furtherCauses.last)
    #expect(cause.code == .unitPrivateDevices && cause.at == "/dev/null")
    #expect(cause.summary.contains("camera.service cannot start"))
    #expect(cause.summary.contains("208/STDIN"))
    let commands = explanation.remedies.flatMap(\.commands).joined(separator: "\n")
    #expect(commands.contains("'DeviceAllow=/dev/null rw'"))
  }

  @Test(arguments: [
    (ServiceFacts.PolicySetting.strict, true, false), (.closed, false, false),
    (.list, false, false), (.strict, false, true),
  ])
  func `nothing else does`(
    setting: ServiceFacts.PolicySetting, allowsNull: Bool, isRunning: Bool
  ) {
    let explanation = explanation(setting, allowsNull: allowsNull, isRunning: isRunning)
    #expect(!explanation.furtherCauses.contains { $0.at == "/dev/null" })
  }
}
