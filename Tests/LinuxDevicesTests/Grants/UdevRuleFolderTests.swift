import Foundation
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `The rules of grants` {
  @Test func `are written, found again and removed, each in a file of its own`() throws {
    let directory = try TemporaryDirectory()
    let folder = UdevRuleFolder(path: "\(directory.path)/rules.d")
    let ids = ["0123456789abcdef", "fedcba9876543210"]
    for id in ids { try folder.write("# \(id)\n", for: id) }
    #expect(folder.texts.map(\.id) == ids)
    #expect(folder.texts.map(\.text) == ids.map { "# \($0)\n" })
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.sorted() == ids.map { "99-devaccess-grant-\($0).rules" })
    #expect(try folder.remove(ids[0]))
    #expect(try !folder.remove(ids[0]))
    #expect(folder.texts.map(\.id) == [ids[1]])
  }

  @Test func `are not written through a link`() throws {
    let directory = try TemporaryDirectory()
    let link = "\(directory.path)/rules.d"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: directory.path)
    #expect(throws: (any Error).self) {
      try UdevRuleFolder(path: link).write("x\n", for: "0123456789abcdef")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["rules.d"])
  }
}
