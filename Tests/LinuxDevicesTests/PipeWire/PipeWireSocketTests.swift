import Testing

@testable import LinuxDevices

@Suite struct `The socket of PipeWire` {
  @Test func `is asked where the user's daemon listens`() {
    var roots = MachineRoots()
    roots.run = "/r"
    func paths(_ variables: [String: String], user: UInt32 = 7) -> [String] {
      PipeWireSocket(roots: roots, environment: { variables[$0] }, ownUser: 7).paths(of: user)
    }
    let usual = "/r/user/7/pipewire-0"
    #expect(paths([:]) == [usual])
    #expect(paths(["XDG_RUNTIME_DIR": "/x"]) == ["/x/pipewire-0", usual])
    #expect(paths(["XDG_RUNTIME_DIR": "/r/user/7"]) == [usual])
    #expect(paths(["XDG_RUNTIME_DIR": "x"]) == [usual])
    #expect(
      paths(["XDG_RUNTIME_DIR": "/x", "PIPEWIRE_RUNTIME_DIR": "/p", "PIPEWIRE_REMOTE": "a"])
        == ["/p/a", usual])
    #expect(paths(["PIPEWIRE_REMOTE": "/s"]) == ["/s"])
    // The environment of one user does not apply to another user.
    #expect(paths(["XDG_RUNTIME_DIR": "/x"], user: 8) == ["/r/user/8/pipewire-0"])
  }
}
