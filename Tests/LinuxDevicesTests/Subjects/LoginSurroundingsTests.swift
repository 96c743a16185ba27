import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// The parts of a user's login other than the group database.
@Suite struct `The surroundings of a login` {
  private static let users = "ann:x:1000:1000::/home/ann:/bin/sh\nbob:x:1001:1001::/:/bin/sh\n"
  private static let groups =
    "ann:x:1000:\nbob:x:1001:\nvideo:x:44:\naudio:x:29:\nstaff:x:50:ann\n"

  private func facts(
    of user: String = "ann", _ files: [(String, String)]
  ) throws -> AccessFacts {
    let recorded = try RecordedMachine(users: Self.users, groups: Self.groups)
    for (name, text) in files { try recorded.directory.file(name, text) }
    return try withExtendedLifetime(recorded) {
      try recorded.machine().facts(for: Question(.path("/dev/null"), subject: .user(user)))
    }
  }

  // MARK: - Slices

  private static let closed = "[Slice]\nDevicePolicy=closed\n"
  private static let booted = ("run/systemd/system/README", "")

  @Test(
    arguments: [
      ("user-1000.slice.d/a.conf", ["user-1000.slice"]),
      ("user-.slice.d/a.conf", ["user-1000.slice"]), ("user.slice.d/a.conf", ["user.slice"]),
      ("-.slice.d/a.conf", ["-.slice"]), ("user-1001.slice.d/a.conf", []),
      ("system.slice.d/a.conf", []),
    ] as [(String, [String])])
  func `are those of the user's slice`(file: String, units: [String]) throws {
    let facts = try facts([Self.booted, ("etc/systemd/system/\(file)", Self.closed)])
    #expect(facts.confinement.service?.policies.map(\.unit) ?? [] == units)
    let list = facts.access.subject.deviceCgroup
    let camera = DeviceNumber(major: 81, minor: 0)
    #expect(list.map { $0.allows(camera, isBlock: false, for: .read) } ?? true == units.isEmpty)
    #expect(facts.confinement.unit == nil)
  }

  @Test func `are none without systemd`() throws {
    let facts = try facts([("etc/systemd/system/user.slice.d/a.conf", Self.closed)])
    #expect(facts.confinement.service == nil)
    #expect(facts.access.subject.deviceCgroup == nil)
  }

  // MARK: - pam_group

  private func moduleGroups(
    _ rules: String, module: String? = "auth optional pam_group.so", of user: String = "ann"
  ) throws -> [UInt32] {
    let service = module.map { [("etc/pam.d/login", "\($0)\n")] } ?? []
    return try facts(of: user, [("etc/security/group.conf", rules)] + service)
      .account.moduleGroups
  }

  @Test(
    arguments: [
      ("*;*;*;Al0000-2400;audio, video\n", [29, 44]), ("login;tty*;ann;Al;video\n", [44]),
      ("*;*;bob|ann;Al;video\n", [44]), ("*;*;bob;Al;video\n", []),
      ("*;*;!bob;Al;video\n", [44]), ("*;*;!ann;Al;video\n", []), ("*;*;a*;Al;video\n", [44]),
      ("*;*;%staff;Al;video\n", [44]), ("*;*;%audio;Al;video\n", []),
      ("*;*;ann&!bob;Al;video\n", [44]), ("# *;*;*;Al;video\n", []),
      ("*;*;*;Al;video # all\n", [44]), ("*;*;ann;\\\nAl;video\n", [44]),
      ("*;*;*;Al;nosuch 29\n", [29]), ("*;*;*;video\n", []), ("", []),
    ] as [(String, [UInt32])])
  func `may add groups by a rule for the user`(rules: String, groups: [UInt32]) throws {
    #expect(try moduleGroups(rules) == groups)
  }

  @Test(arguments: [nil, "# auth optional pam_group.so", "auth required pam_unix.so"] as [String?])
  func `add none where no service has the module`(module: String?) throws {
    #expect(try moduleGroups("*;*;*;Al;video\n", module: module) == [])
  }

  @Test func `do not count as groups of the user`() throws {
    let facts = try facts([
      ("etc/security/group.conf", "*;*;*;Al;video\n"),
      ("etc/pam.d/login", "auth optional pam_group.so\n"),
    ])
    #expect(facts.access.subject.groups == [1000, 50])
    #expect(facts.account.loginGroups == [1000, 50])
    #expect(facts.account.groupNames[44] == "video")
  }
}
