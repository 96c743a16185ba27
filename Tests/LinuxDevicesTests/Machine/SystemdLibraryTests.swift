import Testing

@testable import LinuxDevices

@Suite struct `The library of logins` {
  @Test func `has every function that is called`() throws {
    _ = try SystemdLibrary.functions()
  }

  @Test(arguments: ["libno-such-library.so.7", "libc.so.6"])
  func `is missing where it is not there or lacks a function`(name: String) {
    #expect(SystemdLibrary.load(name) == nil)
  }
}
