import Testing

@testable import LinuxDevices

@Suite struct `Those to whom a name matters` {
  @Test func `are those who named it, and those to whom every name does`() {
    var path = WatchedPath()
    path[1] = .some(["a", "b"])
    path[2] = .some(["b"])
    #expect(path.users(of: "a") == [1])
    #expect(path.users(of: "b") == [1, 2])
    #expect(path.users(of: "c") == [])
    path[3] = .all
    #expect(path.users(of: "a") == [1, 3])
    #expect(path.users(of: "c") == [3])
    #expect(path.users(of: "") == [1, 2, 3])
  }

  @Test func `are those of their last request`() {
    var path = WatchedPath()
    path[1] = .some(["a", "b"])
    path[1] = .some(["b", "c"])
    #expect(path.users(of: "a") == [])
    #expect(path.users(of: "c") == [1])
    path[1] = .all
    #expect(path.users(of: "a") == [1])
    path[1] = .some(["a"])
    #expect(path.users(of: "b") == [])
    path[1] = nil
    #expect(path.isEmpty)
    #expect(path.users(of: "a") == [] && path.users(of: "") == [])
  }
}
