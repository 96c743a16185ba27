import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite final class `The program of a unit` {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Returns the path of a file that the kernel would execute.
  private func program(_ name: String, mode: UInt16) throws -> String {
    try directory.file(name, "\u{7F}ELF", mode: mode)
    return "\(directory.path)/\(name)"
  }

  /// Returns the subject of a unit that runs as user 1234, and the unknown facts.
  private func start(
    _ settings: String, isNosuid: Bool = false
  ) throws -> (subject: Subject, unobserved: [Unobserved]) {
    let recorded = try RecordedMachine(
      users: "root:x:0:0::/root:/bin/sh\nann:x:1234:1234::/home/ann:/bin/sh\n",
      groups: "ann:x:1234:\n")
    try recorded.directory.file("etc/systemd/system/x.service", "[Service]\nUser=ann\n\(settings)")
    try recorded.directory.file("proc/1/status", "CapBnd:\t000001ffffffffff\n")
    if isNosuid {
      try recorded.directory.file(
        "proc/thread-self/mountinfo", "1 0 0:1 / / rw,nosuid - tmpfs none rw\n")
    }
    let question = Question(.path("/dev/null"), subject: .unit("x"))
    let facts = try withExtendedLifetime(recorded) { try recorded.machine().facts(for: question) }
    return (facts.access.subject, facts.unobserved)
  }

  private func owner(of path: String) throws -> (user: UInt32, group: UInt32) {
    var observer = PathObserver(translator: IDTranslator(namespace: nil))
    guard let end = PathWalk.walk(path, with: &observer),
      let node = observer.sighting(end)?.node
    else { throw Errno.noSuchFile }
    return (node.uid, node.gid)
  }

  @Test func `starts as its owner where the set-user-ID bit is set`() throws {
    let path = try program("x", mode: 0o4755)
    let user = try owner(of: path).user
    let (subject, unobserved) = try start("ExecStart=\(path)")
    #expect([subject.ruid, subject.euid, subject.fsuid] == [1234, user, user])
    #expect(subject.effective.contains(.overrideFileAccess) == (user == 0))
    #expect(unobserved.contains { $0.at == path && $0.reason.contains("set-user-ID") })
    let other = try program("y", mode: 0o755)
    let plain = try start("ExecStart=\(other)")
    #expect(plain.subject.fsuid == 1234)
    #expect(!plain.unobserved.contains { $0.layer == "unit-program" })
  }

  @Test func `starts in its group where the set-group-ID bit is set`() throws {
    let path = try program("x", mode: 0o2755)
    let group = try owner(of: path).group
    #expect(try start("ExecStart=\(path)").subject.fsgid == group)
    let locked = try program("y", mode: 0o2745)
    #expect(try start("ExecStart=\(locked)").subject.fsgid == 1234)
  }

  @Test(arguments: [
    ("NoNewPrivileges=yes", true), ("DynamicUser=yes", true), ("PrivateDevices=yes", nil),
    ("SystemCallFilter=~reboot", nil), ("RestrictRealtime=yes", nil), ("ProtectHome=yes", false),
    ("RestrictRealtime=no", false), ("CapabilityBoundingSet=", false),
  ])
  func `gains nothing without new privileges`(settings: String, isForbidden: Bool?) throws {
    let path = try program("x", mode: 0o4755)
    let subject = try start("ExecStart=\(path)\n\(settings)").subject
    let user = try owner(of: path).user
    // Some versions of systemd set NoNewPrivileges= if the unit filters system calls.
    #expect(subject.unobserved.contains(.ids) == (isForbidden == nil))
    if let isForbidden { #expect(subject.fsuid == (isForbidden ? 1234 : user)) }
  }

  @Test func `gains nothing on a mount without set-id bits`() throws {
    let path = try program("x", mode: 0o4755)
    #expect(try start("ExecStart=\(path)", isNosuid: true).subject.fsuid == 1234)
  }

  @Test(arguments: ["", "+", "!"])
  func `is looked for as the prefix says`(prefix: String) throws {
    let path = try program("x", mode: 0o4755)
    let user = try owner(of: path).user
    let subject = try start("ExecStart=\(prefix)\(path) a b").subject
    #expect(subject.euid == user)
    #expect(subject.ruid == (prefix.isEmpty ? 1234 : 0))
  }

  @Test func `is the interpreter of a script`() throws {
    let path = try program("x", mode: 0o4755)
    try directory.file("script", "#! \(path) -q\n", mode: 0o755)
    let user = try owner(of: path).user
    #expect(try start("ExecStart=\(directory.path)/script").subject.fsuid == user)
    let plain = try program("y", mode: 0o755)
    try directory.file("other", "#!\(plain)\n", mode: 0o4755)
    #expect(try start("ExecStart=\(directory.path)/other").subject.fsuid == 1234)
  }

  @Test func `is searched for by its name`() throws {
    let path = try program("xyz", mode: 0o4755)
    let user = try owner(of: path).user
    let settings = "ExecStart=xyz\nExecSearchPath=/nonexistent:\(directory.path)"
    #expect(try start(settings).subject.fsuid == user)
  }

  @Test func `may be one of several`() throws {
    let path = try program("x", mode: 0o4755)
    let plain = try program("y", mode: 0o755)
    for settings in ["ExecStart=\(path)\nExecStart=\(plain)", "ExecStart=\(plain) ; \(path)"] {
      #expect(try start(settings).subject.unobserved.contains(.ids))
    }
    let last = try start("ExecStart=\(path)\nExecStart=\nExecStart=\(plain)").subject
    #expect(last.fsuid == 1234)
    #expect(!last.unobserved.contains(.ids))
  }

  @Test func `is told when nobody can look at it`() throws {
    let path = try program("x", mode: 0o755)
    let hidden = try start("ExecStart=\(path)\nTemporaryFileSystem=\(directory.path)")
    #expect(hidden.unobserved.contains { $0.layer == Unobserved.restrictionsLayer })
    let missing = try start("ExecStart=\(path)y")
    #expect(missing.unobserved.contains { $0.at == "\(path)y" })
    #expect(!missing.unobserved.contains { $0.layer == Unobserved.restrictionsLayer })
    let bound = try start("ExecStart=/opt/no/x\nBindPaths=\(directory.path):/opt/no")
    #expect(!bound.unobserved.contains { $0.layer == "unit-program" })
  }

  // MARK: Capabilities

  @Test(
    arguments: [
      ([1, 0, 0, 2, 2, 0, 0, 0] + Array(repeating: 0, count: 12), 2, 0, true),
      ([0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 1] + Array(repeating: 0, count: 7), 1 << 32, 2, false),
      ([1, 0, 0, 1, 2, 0, 0, 0, 4, 0, 0, 0], 2, 4, true),
      ([1, 0, 0, 3, 2, 0, 0, 0] + Array(repeating: 0, count: 16), 2, 0, true),
    ] as [([UInt8], UInt64, UInt64, Bool)])
  func `has the capabilities of its attribute`(
    bytes: [UInt8], permitted: UInt64, inheritable: UInt64, isEffective: Bool
  ) throws {
    let capabilities = try #require(ExecutableFacts.FileCapabilities(parsing: bytes))
    #expect(capabilities.permitted.bits == permitted)
    #expect(capabilities.inheritable.bits == inheritable)
    #expect(capabilities.isEffective == isEffective)
  }

  @Test(
    arguments: [
      [], [1, 0, 0, 2], Array(repeating: 0, count: 64),
      [1, 0, 0, 3, 2, 0, 0, 0] + Array(repeating: 0, count: 12) + [1, 0, 0, 0],
    ] as [[UInt8]])
  func `has none of another format or namespace`(bytes: [UInt8]) {
    #expect(ExecutableFacts.FileCapabilities(parsing: bytes) == nil)
  }

  // MARK: PAM

  @Test(arguments: [
    ("PAMName=login", true), ("PAMName=login\nExecStart=!/x", false), ("", false),
    ("PAMName=login\nPAMName=", false), ("PAMName=login\nUser=", false),
  ])
  func `may be given more by PAM`(settings: String, isOpen: Bool) throws {
    let (subject, unobserved) = try start(settings)
    #expect(subject.unobserved.contains(.capabilities) == isOpen)
    #expect(unobserved.contains { $0.layer == "pam" } == isOpen)
  }
}
