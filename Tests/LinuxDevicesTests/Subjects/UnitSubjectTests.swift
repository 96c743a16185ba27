import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `A unit that is to be started` {
  private func facts(
    _ settings: String, path: String = "/dev/null", unit: String = "x"
  ) throws -> AccessFacts {
    let recorded = try RecordedMachine(
      users: "root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\n",
      groups: "ann:x:1000:\nvideo:x:44:ann\naudio:x:29:\n")
    try recorded.directory.file("etc/systemd/system/x.service", "[Service]\n\(settings)\n")
    try recorded.directory.file(
      "proc/devices", "Character devices:\n  1 mem\n 81 video4linux\n\nBlock devices:\n")
    try recorded.directory.directory("etc/systemd/system")
    try recorded.directory.link("etc/systemd/system/masked.service", to: "/dev/null")
    let question = Question(.path(path), subject: .unit(unit))
    return try withExtendedLifetime(recorded) { try recorded.machine().facts(for: question) }
  }

  @Test(
    arguments: [
      ("", [0, 0]), ("User=ann", [1000, 1000, 1000, 44]), ("User=1000", [1000, 1000, 1000, 44]),
      ("User=ann\nGroup=audio", [1000, 29, 1000, 44]),
      ("User=ann\nSupplementaryGroups=audio 7", [1000, 1000, 1000, 44, 29, 7]),
      ("SupplementaryGroups=video", [0, 0, 44]),
      ("DynamicUser=yes\nUser=ann", [1000, 1000, 1000, 44]),
    ] as [(String, [UInt32])])
  func `runs as its user`(settings: String, expected: [UInt32]) throws {
    let facts = try facts(settings)
    let subject = facts.access.subject
    #expect([subject.fsuid, subject.fsgid] + subject.groups == expected)
    #expect(subject.effective == (expected[0] == 0 ? .all : []))
    #expect(facts.origin == SubjectOrigin(.unit, name: "x.service", source: .files))
    #expect(facts.confinement.unit == "x.service")
    #expect(facts.kernelChecks.isEmpty)
  }

  @Test(arguments: ["User=nosuch", "Group=nosuch", "SupplementaryGroups=nosuch"])
  func `with an unknown user or group is undetermined`(settings: String) throws {
    let facts = try facts(settings)
    #expect(facts.unobserved.contains { $0.reason.contains("nosuch") })
    let subject = facts.access.subject
    #expect(!subject.unobserved.isDisjoint(with: [.ids, .groups]))
    #expect(subject.unobserved.contains(.ids) == subject.effective.isEmpty)
  }

  @Test(arguments: [("y", DeviceError.Code.noSubject), ("masked", .maskedUnit), ("x@", .noSubject)])
  func `that cannot be started is an error`(unit: String, code: DeviceError.Code) {
    let error = #expect(throws: DeviceError.self) { try facts("", unit: unit) }
    #expect(error?.code == code)
  }

  @Test(arguments: [
    ("AmbientCapabilities=CAP_DAC_OVERRIDE\nUser=ann", [Capability.overrideFileAccess]),
    ("AmbientCapabilities=CAP_DAC_OVERRIDE\nUser=ann\nCapabilityBoundingSet=CAP_CHOWN", []),
    ("CapabilityBoundingSet=CAP_CHOWN", [.changeOwner]), ("CapabilityBoundingSet=", []),
    ("SecureBits=noroot", []),
    ("SecureBits=noroot\nAmbientCapabilities=CAP_CHOWN", [.changeOwner]),
  ])
  func `has the capabilities that its settings leave`(
    settings: String, expected: [Capability]
  ) throws {
    let subject = try facts(settings).access.subject
    #expect(subject.effective == CapabilitySet(expected))
    #expect(subject.permitted == CapabilitySet(expected))
  }

  @Test func `maps itself and root alone with PrivateUsers`() throws {
    let subject = try facts("PrivateUsers=yes\nUser=ann").access.subject
    #expect(subject.userNamespace?.users.ranges.map(\.inside) == [0, 1000])
    #expect(try facts("PrivateUsers=yes").access.subject.userNamespace?.users.ranges.count == 1)
  }

  @Test(arguments: [
    ("DevicePolicy=closed", Answer.allowed), ("DevicePolicy=strict", .refused),
    ("DevicePolicy=strict\nDeviceAllow=/dev/null rw", .allowed),
    ("DevicePolicy=strict\nDeviceAllow=/dev/null r", .refused),
    ("DevicePolicy=strict\nDeviceAllow=char-mem rw", .allowed),
    ("DevicePolicy=strict\nDeviceAllow=char-video4linux rw", .refused),
    ("PrivateDevices=yes", .allowed), ("InaccessiblePaths=/dev/null", .refused),
  ])
  func `has a device policy`(settings: String, answer: Answer) throws {
    let explanation = try facts(settings).explain()
    #expect(explanation.answer == answer)
    if answer == .refused {
      // Access can be partial, such as reading without writing.
      #expect(explanation.status == (settings.hasSuffix(" r") ? .limited : .restricted))
      let isCovered = settings.hasPrefix("Inaccessible")
      #expect(explanation.cause?.code == (isCovered ? .unitInaccessiblePath : .unitPrivateDevices))
    }
  }

  @Test(arguments: ["RootImage=/x.img", "BindPaths=/srv:/dev/null"])
  func `is undetermined where something else is at the path`(settings: String) throws {
    #expect(try facts(settings).explain().answer == .undetermined)
  }

  @Test(arguments: [
    "ProtectHome=maybe", "PrivateUsers=managed", "InaccessiblePaths=%z/x", "DynamicUser=perhaps",
  ])
  func `is undetermined where a setting may restrict it`(settings: String) throws {
    let facts = try facts(settings)
    let explanation = facts.explain()
    #expect(explanation.answer == .undetermined)
    #expect(explanation.status == .unknown)
    let reason = try #require(
      facts.unobserved.first { $0.layer == Unobserved.restrictionsLayer }?.reason)
    #expect(explanation.cause?.summary.contains(reason) == true)
    #expect(explanation.decision.outcome == .undecided(reason: reason))
    // A known reason to refuse still refuses.
    let refused = try self.facts("\(settings)\nInaccessiblePaths=/dev/null").explain()
    #expect(refused.answer == .refused)
    #expect(refused.cause?.code == .unitInaccessiblePath)
  }

  @Test(arguments: [
    (Question.Purpose.use, Answer.allowed), (.create, .allowed), (.list, .allowed),
    (.search, .allowed),
  ])
  func `is asked about a directory that systemd makes as about one that is there`(
    purpose: Question.Purpose, answer: Answer
  ) throws {
    let recorded = try RecordedMachine(
      users: "ann:x:1000:1000::/home/ann:/bin/sh\n", groups: "ann:x:1000:\n")
    try recorded.directory.file(
      "etc/systemd/system/x.service", "[Service]\nUser=ann\nRuntimeDirectory=devaccess-none/x\n")
    let question = Question(
      .path("/run/devaccess-none/x"), purpose: purpose, subject: .unit("x"))
    let facts = try withExtendedLifetime(recorded) { try recorded.machine().facts(for: question) }
    #expect(facts.explain().answer == answer)
  }

  @Test func `goes by the name that its file has`() throws {
    let recorded = try RecordedMachine(users: "root:x:0:0::/root:/bin/sh\n", groups: "root:x:0:\n")
    try recorded.directory.file(
      "etc/systemd/system/real.service", "[Service]\nInaccessiblePaths=-/dev/%N\n")
    try recorded.directory.link("etc/systemd/system/null.service", to: "real.service")
    let question = Question(.path("/dev/null"), subject: .unit("null"))
    let facts = try withExtendedLifetime(recorded) { try recorded.machine().facts(for: question) }
    #expect(facts.explain().answer == .allowed)
    #expect(facts.confinement.unit == "null.service")
  }
}
