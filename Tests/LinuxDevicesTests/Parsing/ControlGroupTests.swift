import AccessModel
import Testing

@testable import LinuxDevices

@Suite struct ControlGroupTests {
  @Test func `each hierarchy has its own path`() {
    let groups = ControlGroups(
      parsing: Array(
        """
        9:name=systemd:/system.slice/a.service
        5:cpu,devices:/with:colon
        0::/user.slice/user-1000.slice/session-2.scope
        x
        7:pids:relative
        """.utf8))
    #expect(groups.unified == "/user.slice/user-1000.slice/session-2.scope")
    #expect(groups.devices == "/with:colon")
    #expect(groups.systemd == "/system.slice/a.service")
  }

  @Test(
    arguments: [
      ("/system.slice/camera.service", "camera.service"),
      ("/user.slice/user-1000.slice/user@1000.service/app.slice/x.scope", "user@1000.service"),
      ("/user.slice/user-1000.slice/session-2.scope", "session-2.scope"),
      ("/", nil), ("/docker/0123", nil),
      ("/system.slice/camera.service/\u{301}a", "camera.service"),
    ] as [(String, String?)])
  func `the unit is the first service or scope of the path`(path: String, unit: String?) {
    #expect(ControlGroups.unit(in: path) == unit)
  }

  @Test(
    arguments: [
      ("/system.slice/camera.service", false), ("/system.slice/camera.service/payload", true),
      ("/machine.slice/machine-n6.scope/payload/system.slice/x.service", true),
      ("/machine.slice/machine-n6.scope", false), ("/system.slice/_x.service/a", true),
      ("/", false), ("/system.slice/camera.service/\u{301}a", true),
      ("/docker/0123", false),
    ] as [(String, Bool)])
  func `a group below the one of its unit is told from it`(path: String, isBelow: Bool) {
    #expect(ControlGroups.isBelowUnit(path) == isBelow)
  }

  @Test func `a list of devices denies all others`() throws {
    let parsed = DeviceCgroup.parse(list: Array("c 1:3 rwm\nb *:* m\nc 81:* r\n".utf8))
    let cgroup = try #require(parsed.cgroup)
    #expect(!parsed.isMalformed)
    #expect(cgroup.defaultBehavior == .deny)
    #expect(
      cgroup.exceptions == [
        .init(isBlock: false, major: 1, minor: 3, read: true, write: true, makeNode: true),
        .init(isBlock: true, major: nil, minor: nil, read: false, write: false, makeNode: true),
        .init(isBlock: false, major: 81, minor: nil, read: true, write: false, makeNode: false),
      ])
  }

  @Test func `the line for all devices restricts nothing`() {
    let parsed = DeviceCgroup.parse(list: Array("a *:* rwm\n".utf8))
    #expect(parsed.cgroup == nil)
    #expect(!parsed.isMalformed)
  }

  @Test func `an empty list denies every device`() {
    let parsed = DeviceCgroup.parse(list: [])
    #expect(parsed.cgroup == DeviceCgroup(defaultBehavior: .deny, exceptions: []))
  }

  @Test(arguments: [
    "c 1:3", "d 1:3 rwm", "c 1 rwm", "c 1:x rwm", "c 1:4294967296 rwm", "c 1:2:3 r",
  ])
  func `a malformed list is no list`(line: String) {
    let parsed = DeviceCgroup.parse(list: Array("c 1:3 rwm\n\(line)\n".utf8))
    #expect(parsed.cgroup == nil)
    #expect(parsed.isMalformed)
  }
}
