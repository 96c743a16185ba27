import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `Names of users and groups` {
  /// Returns the names for a node whose list has a hundred users with accounts.
  private func names(_ names: Question.NameLookup) throws -> AccountFacts {
    let etc = try TemporaryDirectory()
    try etc.file("group", "root:x:0:\nvideo:x:44:\n")
    let accounts = (1000..<1100).map { "user\($0):x:\($0):\($0)::/home/user\($0):/bin/sh" }
    try etc.file("passwd", "root:x:0:0::/root:/bin/sh\n" + accounts.joined(separator: "\n") + "\n")
    var roots = MachineRoots()
    roots.etc = etc.path
    var node = Node(path: "/dev/video0", type: .characterDevice, mode: 0o660, uid: 0, gid: 44)
    node.acl = (1000..<1100).map { ACLEntry(.user, $0, .read) }
    var unobserved: [Unobserved] = []
    let observer = AccountObserver(roots: roots, translator: IDTranslator(namespace: nil))
    return observer.observe(
      subject: Subject(uid: 1090, gid: 44), nodes: [node], others: [], names: names, &unobserved)
  }

  @Test func `are all there for a snapshot`() throws {
    #expect(try names(.all).userNames.count == 101)
  }

  @Test func `are few for a short text, and the subject's is among them`() throws {
    let facts = try names(.few)
    #expect(facts.userNames.count == 18)
    #expect(facts.userNames[1090] == "user1090" && facts.userNames[0] == "root")
    #expect(facts.groupNames[44] == "video")
  }

  // MARK: A name service that fails

  @Test(arguments: [ENOENT, ESRCH, EBADF, EPERM, 0])
  func `are not there where the name service says so`(result: Int32) throws {
    let found: Int? = try unsafe SystemAccountSource.lookUp { _, _, _ in
      result
    } result: {
      1
    }
    #expect(found == nil)
  }

  @Test(arguments: [EIO, EAGAIN, ECONNREFUSED, ETIMEDOUT, EMFILE, ENOMEM, EINVAL])
  func `are not said to be missing where the name service fails`(result: Int32) {
    #expect(throws: Errno(rawValue: result)) {
      let _: Int? = try unsafe SystemAccountSource.lookUp { _, _, _ in
        result
      } result: {
        1
      }
    }
  }

  @Test(arguments: [ERANGE, EINTR])
  func `are looked up again, and not for ever`(result: Int32) {
    var count = 0
    #expect(throws: Errno(rawValue: result)) {
      let _: Int? = try unsafe SystemAccountSource.lookUp { _, _, _ in
        count += 1
        return result
      } result: {
        1
      }
    }
    #expect(count > 1 && count < 32)
  }

  @Test func `that do not fit are read into a longer buffer`() throws {
    let found: Int? = try unsafe SystemAccountSource.lookUp { _, size, isFound in
      isFound = size > 4096
      return isFound ? 0 : ERANGE
    } result: {
      1
    }
    #expect(found == 1)
  }

  /// Provides account databases that cannot be read, because they are directories.
  private func unreadable(_ body: (MachineRoots) throws -> Void) throws {
    let etc = try TemporaryDirectory()
    try etc.directory("passwd")
    try etc.directory("group")
    var roots = MachineRoots()
    roots.etc = etc.path
    try body(roots)
  }

  @Test func `that cannot be read leave a question about a user open`() throws {
    try unreadable { roots in
      let machine = LinuxMachine(roots: roots)
      for name in ["alice", "1000"] {
        let error = #expect(throws: DeviceError.self) {
          try machine.facts(for: Question(.path("/dev/null"), subject: .user(name)))
        }
        #expect(error?.code == .unavailable)
      }
      let variation = SubjectVariation(addedGroups: ["video"])
      let error = #expect(throws: DeviceError.self) {
        try machine.facts(for: Question(.path("/dev/null"), variation: variation))
      }
      #expect(error?.code == .unavailable)
    }
  }

  @Test func `that cannot be read are listed as not observed`() throws {
    try unreadable { roots in
      var unobserved: [Unobserved] = []
      let observer = AccountObserver(roots: roots, translator: IDTranslator(namespace: nil))
      let facts = observer.observe(
        subject: Subject(uid: 1000, gid: 44), nodes: [], others: Array(0..<100), &unobserved)
      #expect(facts.user == nil && facts.userNames.isEmpty && facts.groupNames.isEmpty)
      #expect(unobserved.contains { $0.reason.hasPrefix("a name could not be looked up") })
      #expect(unobserved.count == 3)
    }
  }

  @Test func `of no database at all are nobody's`() throws {
    let etc = try TemporaryDirectory()
    var roots = MachineRoots()
    roots.etc = etc.path
    let error = #expect(throws: DeviceError.self) {
      try LinuxMachine(roots: roots).facts(
        for: Question(.path("/dev/null"), subject: .user("alice")))
    }
    #expect(error?.code == .noSubject)
  }

  @Test func `are not looked up for a decision alone`() throws {
    var question = Question(.path("/dev/null"))
    #expect(try LinuxMachine().facts(for: question).account != AccountFacts())
    question.names = .none
    let facts = try LinuxMachine().facts(for: question)
    #expect(facts.account == AccountFacts() && facts.session == nil)
  }
}
