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
    let found = try contents(unit)
    #expect(found?.problems ?? [] == [])
    #expect(found?.doubts ?? [] == [])
    return (found?.files ?? []).flatMap(\.assignments).filter { $0.key == "User" }.map(\.value)
  }

  private func contents(_ unit: String) throws -> UnitFiles.Contents? {
    guard case .found(let found) = files.read(try #require(UnitName(unit))) else { return nil }
    return found
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
    let found = try #require(try contents("folder"), "a unit that cannot be read is not absent")
    #expect(found.files.isEmpty)
    #expect(found.doubts.count == 1)
  }

  @Test func `tells of a folder of drop-ins that cannot be read`() throws {
    try write("etc/systemd/system/x.service", "unit")
    try directory.file("run/systemd/system/x.service.d", "a file in the place of a folder")
    let problems = try #require(try contents("x")).problems
    #expect(problems.map { $0.hasSuffix("x.service.d: not a directory") } == [true])
    // A problem with drop-ins does not create a unit.
    try directory.file("run/systemd/system/y.service.d", "")
    #expect(files.read(try #require(UnitName("y"))) == .absent)
  }

  // MARK: The order of drop-ins

  @Test func `goes through all names in a folder before the next folder`() throws {
    try write("etc/systemd/system/x-y.service", "unit")
    try write("usr/lib/systemd/system/x-y.service.d/10.conf", "name in lib")
    try write("etc/systemd/system/x-.service.d/10.conf", "prefix in etc")
    #expect(try users("x-y") == ["unit", "prefix in etc"])
    // Drop-ins for all services come last.
    try write("etc/systemd/system/service.d/20.conf", "type in etc")
    try write("usr/lib/systemd/system/x-.service.d/20.conf", "prefix in lib")
    #expect(try users("x-y") == ["unit", "prefix in etc", "prefix in lib"])
  }

  @Test func `takes the name of the unit before its aliases, whichever is asked for`() throws {
    try write("etc/systemd/system/x-y.service", "unit")
    try directory.link("etc/systemd/system/alias.service", to: "x-y.service")
    try write("etc/systemd/system/alias.service.d/10.conf", "alias")
    try write("etc/systemd/system/alias.service.d/20.conf", "of the alias alone")
    try write("usr/lib/systemd/system/x-.service.d/10.conf", "prefix")
    for name in ["x-y", "alias"] {
      #expect(try users(name) == ["unit", "prefix", "of the alias alone"])
      #expect(try contents(name)?.name == UnitName("x-y"))
    }
    // The order of two aliases is undefined.
    try directory.link("etc/systemd/system/other.service", to: "alias.service")
    try write("etc/systemd/system/other.service.d/20.conf", "other")
    #expect(try #require(try contents("x-y")).doubts.count == 1)
  }

  @Test func `looks an alias up in all folders again`() throws {
    try write("usr/lib/systemd/system/real.service", "lib")
    try directory.directory("etc/systemd/system")
    try directory.link(
      "etc/systemd/system/alias.service", to: "/usr/lib/systemd/system/real.service")
    #expect(try users("alias") == ["lib"])
    try write("etc/systemd/system/real.service", "etc")
    #expect(try users("alias") == ["etc"])
    // A link that leads out of the folders is a file with its own name.
    try write("opt/linked.service", "linked")
    try write("etc/systemd/system/linked.service.d/10.conf", "not its name")
    try directory.link(
      "etc/systemd/system/mine.service", to: "\(directory.path)/opt/linked.service")
    #expect(try users("mine") == ["linked"])
    #expect(try contents("mine")?.name == UnitName("mine"))
  }

  @Test func `gives an instance the names of its template's aliases`() throws {
    try write("etc/systemd/system/x@.service", "template")
    try directory.link("etc/systemd/system/y@.service", to: "x@.service")
    try write("etc/systemd/system/y@a.service.d/10.conf", "alias")
    #expect(try users("x@a") == ["template", "alias"])
    #expect(try users("y@a") == ["template", "alias"])
    #expect(try users("y@b") == ["template"])
    #expect(try contents("y@b")?.name == UnitName("x@b"))
  }

  // MARK: What cannot be read

  @Test(.requiresRoot) func `doubts what may hide a file`() async throws {
    // Each machine has one of these closed to other users.
    let closed = ["", "/x.service", "/x.service.d", "/x.service.d/10.conf"]
    for (number, name) in closed.enumerated() {
      try write("\(number)/usr/lib/systemd/system/x.service", "lib")
      try write("\(number)/etc/systemd/system/x.service", "etc")
      try write("\(number)/etc/systemd/system/x.service.d/10.conf", "drop-in")
      try directory.setMode(
        name.contains(".") && !name.hasSuffix(".d") ? 0o600 : 0o700,
        of: "\(directory.path)/\(number)/etc/systemd/system\(name)")
    }
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      try PrivateMachine.become(user: 65534, group: 65534)
      for number in 0..<4 {
        var roots = MachineRoots()
        roots.etc = "\(path)/\(number)/etc"
        roots.run = "\(path)/\(number)/run"
        let files = UnitFiles(roots: roots)
        guard case .found(let found) = files.read(try #require(UnitName("x"))) else {
          Issue.record("the unit is there")
          continue
        }
        #expect(found.doubts.count == 1, "\(found.doubts)")
        #expect(found.doubts.allSatisfy { $0.hasPrefix(roots.etc) })
        // Only a folder that cannot be searched may contain any name.
        #expect((files.read(try #require(UnitName("no"))) == .absent) == (number > 0))
      }
    }
  }
}
