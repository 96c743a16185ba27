import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `The names that decide where a path leads` {
  private func way(_ path: String, leavingOut left: String? = nil) -> PathNames {
    PathNames(of: path) { path in left.map { path.hasSuffix($0) } ?? false }
  }

  @Test func `are those of each link on the way, and of what it leads to`() throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let file = try directory.file("real/deep/file")
    try directory.link("alias", to: "middle")
    try directory.link("middle", to: "\(directory.path)/real/deep")
    let way = way("\(directory.path)/alias/./../deep/file")
    #expect(way.end == file && way.hasLinks && way.error == nil)
    #expect(way.names["/"] == ["tmp"])
    #expect(way.names[directory.path] == ["alias", "middle", "real"])
    #expect(way.names["\(directory.path)/real"] == ["deep"])
    #expect(way.names["\(directory.path)/real/deep"] == ["file"])
  }

  @Test(arguments: [
    ("missing/deep", ["missing"]), ("link/deep", ["link", "later"]), ("file/deep", ["file"]),
    ("itself", ["itself"]),
  ])
  func `end where the way does`(name: String, names: [String]) throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    try directory.file("file")
    try directory.link("link", to: "later")
    try directory.link("itself", to: "itself")
    let way = way("\(directory.path)/\(name)")
    #expect(way.end == nil && way.error == nil)
    #expect(way.names[directory.path] == Set(names))
  }

  @Test func `end where a link leads to a filesystem that is not to be touched`() throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    try directory.file("silent/file")
    try directory.link("link", to: "silent")
    let way = way("\(directory.path)/link/file", leavingOut: "silent")
    #expect(way.end == nil && way.error == .timedOut)
    #expect(way.names[directory.path] == ["link", "silent"])
    #expect(way.names["\(directory.path)/silent"] == nil)
  }

  @Test func `are followed as far as names can be`() throws {
    let long = String(repeating: "a", count: 256)
    #expect(way("/tmp/\(long)").error == .nameTooLong)
  }
}
