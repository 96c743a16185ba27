import AccessModel
import LinuxDevices
import Testing

struct AttemptTests {
  @Test func `a device that opens is told to`() {
    let attempt = LinuxMachine().attempt(
      toOpen: "/dev/null", askedAs: "/dev/link", for: [.read, .write])
    #expect(attempt == Attempt(path: "/dev/link", errno: 0))
  }

  @Test(arguments: ["/etc/passwd", "/", "/nowhere", "", "/dev/\0"])
  func `what is no device is never opened`(path: String) {
    #expect(LinuxMachine().attempt(toOpen: path, askedAs: path, for: .read) == nil)
  }
}
