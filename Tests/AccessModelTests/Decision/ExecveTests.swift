import AccessModel
import Testing

@Suite struct Execve {
  private static let user = Subject(uid: 1000, gid: 1000, groups: [44])
  private static func file(
    _ mode: UInt16 = 0o755, uid: UInt32 = 0, gid: UInt32 = 0,
    _ capabilities: ExecutableFacts.FileCapabilities? = nil
  ) -> ExecutableFacts {
    ExecutableFacts(mode: mode, uid: uid, gid: gid, capabilities: capabilities)
  }

  private static let override = ExecutableFacts.FileCapabilities(
    permitted: [.overrideFileAccess], isEffective: true)

  @Test func `an ordinary program drops effective and permitted capabilities`() throws {
    var subject = Self.user
    subject.permitted = .all
    subject.effective = .all
    subject.inheritable = [.overrideFileAccess]
    subject.securebits = 16 | 4
    let after = try #require(subject.afterExecve(of: Self.file()))
    #expect(after.permitted.isEmpty && after.effective.isEmpty)
    #expect(after.inheritable == [.overrideFileAccess])
    #expect(after.securebits == 4)
    #expect(after.fsuid == 1000 && after.groups == [44])
  }

  @Test func `ambient capabilities survive an ordinary program`() throws {
    var subject = Self.user
    subject.permitted = [.overrideFileAccess]
    subject.inheritable = [.overrideFileAccess]
    subject.ambient = [.overrideFileAccess]
    let after = try #require(subject.afterExecve(of: Self.file()))
    #expect(after.effective == [.overrideFileAccess])
    #expect(after.permitted == [.overrideFileAccess])
    #expect(after.ambient == [.overrideFileAccess])
  }

  @Test(arguments: [UInt16(0o4755), 0o2755])
  func `ambient capabilities end at a program that changes ids`(mode: UInt16) throws {
    var subject = Self.user
    subject.permitted = [.overrideFileAccess]
    subject.inheritable = [.overrideFileAccess]
    subject.ambient = [.overrideFileAccess]
    let after = try #require(subject.afterExecve(of: Self.file(mode, uid: 7, gid: 7)))
    #expect(after.ambient.isEmpty && after.effective.isEmpty)
  }

  @Test func `a set-group-id program of an own group changes nothing`() throws {
    var subject = Self.user
    subject.permitted = [.overrideFileAccess]
    subject.inheritable = [.overrideFileAccess]
    subject.ambient = [.overrideFileAccess]
    let after = try #require(subject.afterExecve(of: Self.file(0o2755, gid: 44)))
    #expect(after.fsgid == 44)
    #expect(after.ambient == [.overrideFileAccess])
  }

  @Test func `a set-user-id program of root has what the bounding set leaves`() throws {
    var subject = Self.user
    subject.bounding = [.overrideFileAccess]
    let after = try #require(subject.afterExecve(of: Self.file(0o4755)))
    #expect(after.euid == 0 && after.fsuid == 0 && after.suid == 0 && after.ruid == 1000)
    #expect(after.effective == [.overrideFileAccess])
  }

  @Test func `NOROOT leaves root without capabilities`() throws {
    var subject = Self.user
    subject.securebits = 1
    let after = try #require(subject.afterExecve(of: Self.file(0o4755)))
    #expect(after.fsuid == 0)
    #expect(after.effective.isEmpty && after.permitted.isEmpty)
  }

  @Test func `only the real user is root: permitted and not effective`() throws {
    var subject = Subject(uid: 0, gid: 0)
    subject.euid = 1000
    subject.fsuid = 1000
    subject.bounding = [.overrideFileAccess]
    let after = try #require(subject.afterExecve(of: Self.file()))
    #expect(after.permitted == [.overrideFileAccess])
    #expect(after.effective.isEmpty)
  }

  @Test func `set-group-id without the group's execute bit is no set-id`() throws {
    let after = try #require(Self.user.afterExecve(of: Self.file(0o2745, gid: 7)))
    #expect(after.fsgid == 1000)
  }

  @Test func `file capabilities are granted`() throws {
    let after = try #require(Self.user.afterExecve(of: Self.file(0o755, Self.override)))
    #expect(after.effective == [.overrideFileAccess])
    #expect(after.fsuid == 1000)
  }

  @Test func `file capabilities without the effective bit have to be raised`() throws {
    var capabilities = Self.override
    capabilities.isEffective = false
    let after = try #require(Self.user.afterExecve(of: Self.file(0o755, capabilities)))
    #expect(after.permitted == [.overrideFileAccess] && after.effective.isEmpty)
  }

  @Test func `inheritable capabilities meet those of the file`() throws {
    var subject = Self.user
    subject.inheritable = [.overrideFileAccess, .readAndSearch]
    let capabilities = ExecutableFacts.FileCapabilities(
      permitted: [], inheritable: [.readAndSearch, .makeDeviceNodes], isEffective: true)
    let after = try #require(subject.afterExecve(of: Self.file(0o755, capabilities)))
    #expect(after.effective == [.readAndSearch])
  }

  @Test func `a program that needs what is not in the bounding set is refused`() {
    var subject = Self.user
    subject.bounding = [.readAndSearch]
    #expect(subject.afterExecve(of: Self.file(0o755, Self.override)) == nil)
  }

  @Test func `set-user-id root with file capabilities has only those`() throws {
    let after = try #require(Self.user.afterExecve(of: Self.file(0o4755, Self.override)))
    #expect(after.fsuid == 0)
    #expect(after.effective == [.overrideFileAccess])
  }

  @Test func `no_new_privs ignores set-id and grants no file capability`() throws {
    var subject = Self.user
    subject.noNewPrivileges = true
    let setID = try #require(subject.afterExecve(of: Self.file(0o6755)))
    #expect(setID.fsuid == 1000 && setID.fsgid == 1000)
    let after = try #require(subject.afterExecve(of: Self.file(0o755, Self.override)))
    #expect(after.effective.isEmpty)
  }

  @Test func `no_new_privs keeps a file capability that the caller has`() throws {
    var subject = Self.user
    subject.noNewPrivileges = true
    subject.permitted = [.overrideFileAccess]
    let after = try #require(subject.afterExecve(of: Self.file(0o755, Self.override)))
    #expect(after.effective == [.overrideFileAccess])
  }

  @Test func `nosuid ignores ids and capabilities`() throws {
    var file = Self.file(0o6755, Self.override)
    file.isPrivilegeHonoured = false
    let after = try #require(Self.user.afterExecve(of: file))
    #expect(after == Self.user)
  }

  @Test func `an owner that the namespace does not map is ignored`() throws {
    var subject = Self.user
    subject.userNamespace = IDMapping(
      users: IDMap([IDMap.Range(inside: 0, outside: 1000, length: 1)]),
      groups: IDMap([IDMap.Range(inside: 0, outside: 1000, length: 1)]))
    let after = try #require(subject.afterExecve(of: Self.file(0o4755)))
    #expect(after.fsuid == 1000)
    // User 1000 is root in that namespace.
    #expect(after.effective == .all)
  }
}
