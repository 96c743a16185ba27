import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite final class `The search for unit files` {
  let directory: TemporaryDirectory
  let files: UnitFiles

  init() throws {
    let directory = try TemporaryDirectory()
    var roots = MachineRoots()
    roots.etc = "\(directory.path)/etc"
    roots.run = "\(directory.path)/run"
    files = UnitFiles(roots: roots)
    self.directory = directory
  }

  private func users(_ unit: String) throws -> [String] {
    guard case .found(let found, let problems) = files.read(try #require(UnitName(unit))) else {
      return []
    }
    #expect(problems == [])
    return found.flatMap(\.assignments).filter { $0.key == "User" }.map(\.value)
  }

  private func write(_ path: String, _ user: String) throws {
    try directory.file(path, "[Service]\nUser=\(user)\n")
  }

  @Test func `takes the folder that goes first`() throws {
    #expect(files.folders.count == 13)
    try write("usr/lib/systemd/system/x.service", "lib")
    #expect(try users("x") == ["lib"])
    try write("run/systemd/system/x.service", "run")
    #expect(try users("x") == ["run"])
    try write("etc/systemd/system/x.service", "etc")
    #expect(try users("x.service") == ["etc"])
    try write("run/systemd/transient/x.service", "transient")
    #expect(try users("x") == ["transient"])
  }

  @Test func `finds the template of an instance, unless the instance has a file`() throws {
    try write("etc/systemd/system/x@.service", "%i")
    #expect(try users("x@a") == ["%i"])
    try write("usr/lib/systemd/system/x@b.service", "own")
    #expect(try users("x@b") == ["own"])
    #expect(files.read(try #require(UnitName("y@a"))) == .absent)
  }

  @Test func `sorts drop-ins by name, and lets the first folder win`() throws {
    try write("usr/lib/systemd/system/x-y@.service", "unit")
    try write("usr/lib/systemd/system/x-y@a.service.d/20.conf", "lib20")
    try write("etc/systemd/system/x-y@a.service.d/20.conf", "etc20")
    try write("usr/lib/systemd/system/x-y@.service.d/10.conf", "template10")
    try write("run/systemd/system/x-.service.d/30.conf", "prefix30")
    try write("etc/systemd/system/service.d/05.conf", "type05")
    try write("etc/systemd/system/x-y@a.service.d/not-a-drop-in", "ignored")
    #expect(try users("x-y@a") == ["unit", "type05", "template10", "etc20", "prefix30"])
  }

  @Test func `knows masked units and drop-ins`() throws {
    try directory.directory("etc/systemd/system")
    try write("usr/lib/systemd/system/x.service", "lib")
    try directory.link("etc/systemd/system/x.service", to: "/dev/null")
    #expect(files.read(try #require(UnitName("x"))) == .masked)
    try directory.file("etc/systemd/system/empty.service", "")
    #expect(files.read(try #require(UnitName("empty"))) == .masked)
    try write("usr/lib/systemd/system/y.service", "unit")
    try write("usr/lib/systemd/system/y.service.d/10.conf", "drop-in")
    try directory.directory("etc/systemd/system/y.service.d")
    try directory.link("etc/systemd/system/y.service.d/10.conf", to: "/dev/null")
    #expect(try users("y") == ["unit"])
  }

  @Test func `follows a link to another name, whose drop-ins count too`() throws {
    try write("usr/lib/systemd/system/real.service", "real")
    try write("usr/lib/systemd/system/real.service.d/10.conf", "drop-in")
    try directory.directory("etc/systemd/system")
    try directory.link(
      "etc/systemd/system/alias.service",
      to: "\(directory.path)/usr/lib/systemd/system/real.service")
    #expect(try users("alias") == ["real", "drop-in"])
  }

  @Test func `finds no unit in drop-ins alone, and tells what it cannot read`() throws {
    try write("etc/systemd/system/x.service.d/10.conf", "drop-in")
    #expect(files.read(try #require(UnitName("x"))) == .absent)
    try directory.directory("etc/systemd/system/folder.service")
    guard case .found(let found, let problems) = files.read(try #require(UnitName("folder")))
    else {
      Issue.record("a unit that cannot be read is not absent")
      return
    }
    #expect(found.isEmpty)
    #expect(problems.count == 1)
  }

  @Test func `tells of a folder of drop-ins that cannot be read`() throws {
    try write("etc/systemd/system/x.service", "unit")
    try directory.file("run/systemd/system/x.service.d", "a file in the place of a folder")
    guard case .found(_, let problems) = files.read(try #require(UnitName("x"))) else {
      Issue.record("the unit is there")
      return
    }
    #expect(problems.map { $0.hasSuffix("x.service.d: not a directory") } == [true])
    // A problem with drop-ins makes no unit.
    try directory.file("run/systemd/system/y.service.d", "")
    #expect(files.read(try #require(UnitName("y"))) == .absent)
  }
}
