import AccessModel
import DeviceWatching
import LinuxDevices
import LinuxTestSupport
import Testing

@Suite struct `Opening a device once` {
  @Test(arguments: [[.read, .write], .read, .write] as [Permissions])
  func `a device that opens is told, with the call and its flags`(permissions: Permissions) {
    let probe = LinuxMachine().probe("/dev/null", askedAs: "/dev/link", for: permissions)
    #expect(
      probe.attempt
        == Attempt(
          path: "/dev/link", systemCall: "openat", flags: permissions.openFlags, errno: 0))
    #expect(probe.driverCapabilities == nil)
  }

  @Test(arguments: ["/etc/passwd", "/", "/nowhere", "", "/dev/\0", "/dev/null/x"])
  func `what is not a device is never opened`(path: String) {
    #expect(LinuxMachine().probe(path, askedAs: path, for: .read) == DeviceProbe())
  }

  @Test func `nothing is opened for neither reading nor writing`() {
    #expect(LinuxMachine().probe("/dev/null", askedAs: "/dev/null", for: []) == DeviceProbe())
  }

  @Test func `no symbolic link is followed on the way`() throws {
    let directory = try TemporaryDirectory()
    let link = "\(directory.path)/dev"
    try directory.link("dev", to: "/dev")
    #expect(LinuxMachine().probe("\(link)/null", askedAs: link, for: .read).attempt?.errno != 0)
  }

  @Test func `the path that was asked about is opened, and no other`() throws {
    let machine = LinuxMachine()
    let facts = machine.probed(try machine.facts(for: Question(.path("/dev/null"))))
    #expect(facts.attempts.map(\.path) == ["/dev/null"])
    #expect(facts.attempts.first?.errno == 0)
    let file = machine.probed(try machine.facts(for: Question(.path("/etc/passwd"))))
    #expect(file.attempts.isEmpty)
  }
}
