import AccessModel
import CCapability
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `A user as at a new login` {
  private static let users = """
    root:x:0:0::/root:/bin/sh
    ann:x:1000:1000::/home/ann:/bin/sh
    1000:x:2000:2000::/:/bin/sh

    """
  private static let groups = "ann:x:1000:\nvideo:x:44:bob,ann\naudio:x:29:bob\n29:x:77:\n"

  private func facts(
    _ subject: SubjectSelector, _ variation: SubjectVariation = SubjectVariation()
  ) throws -> AccessFacts {
    let recorded = try RecordedMachine(users: Self.users, groups: Self.groups)
    let question = Question(.path("/dev/null"), subject: subject, variation: variation)
    return try withExtendedLifetime(recorded) { try recorded.machine().facts(for: question) }
  }

  @Test func `has the groups of the database and no capabilities`() throws {
    let facts = try facts(.user("ann"))
    let subject = facts.access.subject
    #expect([subject.ruid, subject.euid, subject.suid, subject.fsuid] == [1000, 1000, 1000, 1000])
    #expect(subject.fsgid == 1000)
    #expect(subject.groups == [1000, 44])
    #expect(subject.effective.isEmpty && subject.permitted.isEmpty)
    #expect(!subject.noNewPrivileges && subject.securebits == 0 && subject.unobserved.isEmpty)
    #expect(facts.origin == SubjectOrigin(.user, name: "ann"))
    #expect(facts.account.user == "ann")
    #expect(facts.kernelChecks.isEmpty)
    #expect(facts.unobserved.contains { $0.layer == "kernel-check" })
  }

  @Test func `is a name first and a number then`() throws {
    #expect(try facts(.user("1000")).access.subject.fsuid == 2000)
    #expect(try facts(.user("2000")).access.subject.fsuid == 2000)
    #expect(try facts(.user("0")).access.subject.fsuid == 0)
  }

  @Test func `has every capability when it is root`() throws {
    let subject = try facts(.user("root")).access.subject
    #expect(subject.effective == .all)
    #expect(subject.permitted == .all)
  }

  @Test func `without an account has no groups and no name`() throws {
    let facts = try facts(.user("3000"))
    #expect(facts.access.subject.fsuid == 3000)
    #expect(facts.access.subject.fsgid == 65534 && facts.access.subject.groups == [65534])
    #expect(facts.access.subject.effective.isEmpty)
    #expect(facts.origin?.kind == .user && facts.origin?.name == nil)
  }

  @Test(arguments: ["nobody-here", "", "4294967295", "99999999999", "-1", "a\u{0}b"])
  func `that is in no database is an error`(name: String) {
    let error = #expect(throws: DeviceError.self) { try facts(.user(name)) }
    #expect(error?.code == .noSubject)
    #expect(error?.path == name)
  }

  @Test func `may have other groups and capabilities, and is then hypothetical`() throws {
    let variation = SubjectVariation(
      addedGroups: ["29", "video", "7"], removedGroups: ["ann"],
      addedCapabilities: [.overrideFileAccess])
    let facts = try facts(.user("ann"), variation)
    #expect(facts.access.subject.groups == [44, 77, 7])
    #expect(facts.access.subject.effective == [.overrideFileAccess])
    #expect(facts.origin?.isHypothetical == true)
    #expect(facts.kernelChecks.isEmpty)
    #expect(facts.explain().certainty != .proven)
    let error = #expect(throws: DeviceError.self) {
      try self.facts(.ownProcess, SubjectVariation(addedGroups: ["nosuch"]))
    }
    #expect(error?.code == .noSubject)
  }

  @Test func `keeps the kernel out of a what-if about this process`() throws {
    let question = Question(
      .path("/dev/null"), variation: SubjectVariation(removedCapabilities: [.setUsers]))
    let facts = try LinuxMachine().facts(for: question)
    #expect(facts.kernelChecks.isEmpty)
    #expect(facts.origin == SubjectOrigin(.ownProcess, variations: ["without cap_setuid"]))
  }

  /// A user, a group, supplementary groups and capabilities for each identity.
  private static let identities: [CheckerCredentials] = [
    CheckerCredentials(user: 4242, group: 4242, groups: [], capabilities: []),
    CheckerCredentials(user: 4242, group: 4242, groups: [5000, 5001], capabilities: []),
    CheckerCredentials(user: 4001, group: 4242, groups: [], capabilities: []),
    CheckerCredentials(user: 4242, group: 5001, groups: [1], capabilities: []),
    CheckerCredentials(user: 0, group: 0, groups: [], capabilities: [.overrideFileAccess]),
    CheckerCredentials(user: 0, group: 0, groups: [], capabilities: []),
  ]

  @Test(.requiresRoot, arguments: identities.indices)
  func `is asked about by a child, which answers as the user itself`(index: Int) async {
    await #expect(processExitsWith: .success) { [index = index as Int] in
      let identity = `A user as at a new login`.identities[index]
      let directory = try TemporaryDirectory()
      var questions: [KernelQuestion] = []
      for (number, mode) in [0o600, 0o640, 0o604, 0o660, 0o606, 0o000, 0o666].enumerated() {
        let path = try directory.file("f\(number)", "", mode: UInt16(mode))
        try SystemError.check(
          unsafe chown(path, number % 2 == 0 ? 0 : 4001, 5000 + UInt32(number % 2)), "chown")
        questions.append(KernelQuestion(path, [.read, .write, [.read, .write], .execute]))
      }
      questions.append(KernelQuestion(try directory.file("closed/x", "", mode: 0o666), [.read]))
      try SystemError.check(unsafe chmod("\(directory.path)/closed", 0o700), "chmod")
      questions.append(KernelQuestion("\(directory.path)/absent", [.read]))
      let own = CredentialObserver(roots: MachineRoots()).observe().subject
      #expect(identity.canBeTaken(by: own))
      let answers = try identity.ask(questions)
      // This process has not changed: its credentials, its dumpable flag and its children.
      #expect(CredentialObserver(roots: MachineRoots()).observe().subject == own)
      #expect(cap_prctl(3, 0, 0, 0, 0, 0) == 1)
      #expect(waitpid(-1, nil, WNOHANG | 0x4000_0000) == -1 && errno == ECHILD)

      // Now this process becomes the user permanently, with the requested capabilities.
      try SystemError.check(cap_prctl(8, 1, 0, 0, 0, 0), "prctl")
      try PrivateMachine.become(
        user: identity.user, group: identity.group, groups: identity.groups)
      let words = identity.capabilities.members.map { "cap_" + $0.name }.joined(separator: ",")
      let state = unsafe cap_from_text(words.isEmpty ? "=" : "\(words)=ep")
      try SystemError.check(unsafe cap_set_proc(state), "cap_set_proc")
      unsafe cap_free(UnsafeMutableRawPointer(state))
      let expected = questions.flatMap { question in
        question.modes.map { FileAccessCheck.ask(question.path, $0) ?? -1 }
      }
      #expect(answers == expected)
      #expect(Set(answers).count > 1)
      #expect(!identity.canBeTaken(by: CredentialObserver(roots: MachineRoots()).observe().subject))
    }
  }

  @Test(.requiresRoot) func `has a proven answer for a caller who may become it`() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      var facts: [AccessFacts] = []
      let modes: [UInt16] = [0o600, 0o604, 0o606, 0o660]
      for mode in modes {
        let path = try directory.file("f\(mode)", "", mode: mode)
        try SystemError.check(unsafe chown(path, 0, mode == 0o660 ? 65534 : 0), "chown")
        facts.append(
          try LinuxMachine().facts(for: Question(.path(path), subject: .user("nobody"))))
      }
      #expect(facts.allSatisfy { $0.kernelChecks.count == 3 })
      #expect(facts[0].explain().certainty == .proven)
      try PrivateMachine.become(user: 65534, group: 65534, groups: [65534])
      for fact in facts {
        let descriptor = unsafe open(fact.access.request.path, O_RDWR | O_CLOEXEC)
        let isOpen = descriptor >= 0
        if isOpen { close(descriptor) }
        #expect((fact.explain().answer == .allowed) == isOpen)
      }
    }
  }
}
