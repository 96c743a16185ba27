import AccessModel
import Testing

@testable import LinuxDevices

@Suite struct `Names of users and groups` {
  /// A node with a list of a hundred users, each of whom has an account.
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
}
