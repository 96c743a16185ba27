import Testing

@testable import MessageBus

@Suite struct `The library of the bus and of logins` {
  @Test func `has every function that is called`() {
    #expect(SystemdLibrary.functions != nil)
  }

  @Test(arguments: ["libno-such-library.so.7", "libc.so.6"])
  func `is missing where it is not there or lacks a function`(name: String) {
    #expect(SystemdLibrary.load(name) == nil)
  }
}
