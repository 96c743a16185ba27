import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `The interpreter of a script` {
  private func facts(
    _ text: String, wanted: Permissions = .execute
  ) throws -> (facts: AccessFacts, folder: String) {
    let folder = try TemporaryDirectory()
    try folder.file("closed", "")
    try folder.file("inner", "#!\(folder.path)/closed\n", mode: 0o755)
    try folder.file("script", text.replacing("FOLDER", with: folder.path), mode: 0o755)
    let question = Question(.path("\(folder.path)/script"), wanted: wanted)
    return (try LinuxMachine().facts(for: question), folder.path)
  }

  @Test func `is asked about as well`() throws {
    let facts = try facts("#! /bin/sh -e\n").facts
    #expect(facts.interpreters == ["/bin/sh"])
    #expect(facts.explain().answer == .allowed)
  }

  @Test func `refuses where it may not be executed`() throws {
    let (facts, folder) = try facts("#!FOLDER/inner\n")
    #expect(facts.interpreters == ["\(folder)/inner", "\(folder)/closed"])
    let explanation = facts.explain()
    #expect(explanation.answer == .refused)
    #expect(explanation.path == "\(folder)/script")
    #expect(explanation.cause?.summary.contains("\(folder)/inner is a script") == true)
  }

  @Test func `refuses where it is missing`() throws {
    let facts = try facts("#!/nonexistent/program\n").facts
    #expect(facts.interpreters == ["/nonexistent/program"])
    #expect(facts.explain().answer == .refused)
  }

  @Test(arguments: [("#!/bin/sh\n", Permissions.read), ("\u{7F}ELF", .execute), ("", .execute)])
  func `is not looked for`(text: String, wanted: Permissions) throws {
    #expect(try facts(text, wanted: wanted).facts.interpreters == [])
  }
}

@Suite struct `A device whose node is missing` {
  @Test(
    arguments: [
      ("/dev/net/tun", "tun"), ("/dev/fuse", "fuse"), ("/dev/dma_heap/system", "system"),
      ("/dev/tun", nil), ("/dev/net/nosuch", nil), ("/srv/fuse", nil), ("/dev/..", nil),
    ] as [(String, String?)])
  func `is found by the name that the kernel gives the node`(path: String, name: String?) throws {
    let root = try TemporaryDirectory()
    for (subsystem, name, node) in [
      ("misc", "tun", "net/tun"), ("misc", "fuse", "fuse"),
      ("dma_heap", "system", "dma_heap/system"),
    ] {
      let place = "devices/virtual/\(subsystem)/\(name)"
      try root.file("sys/\(place)/uevent", "MAJOR=10\nMINOR=200\nDEVNAME=\(node)\n")
      try root.directory("sys/class/\(subsystem)")
      try root.link("sys/class/\(subsystem)/\(name)", to: "../../\(place)")
      try root.link("sys/\(place)/subsystem", to: "../../../../class/\(subsystem)")
    }
    let device = DeviceEnumerator(roots: MachineRoots(below: root)).device(missingAt: path)
    #expect(device?.kernelName == name)
  }
}
