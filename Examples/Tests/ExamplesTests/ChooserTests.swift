import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import Testing

@testable import choose_pictures

@Suite struct `Choosing pictures` {
  private static let folder = "/home/alice/Pictures"

  private func run(_ reply: PortalFileReply) async -> (lines: [String], status: Int32) {
    let machine = InMemoryMachine(portal: InMemoryPortal(selection: reply)) {
      $0.addUser("alice", id: 1000)
      $0.addUser("bob", id: 1001)
      $0.addFile("\(Self.folder)/mine.png", owner: "alice")
      $0.addFile("\(Self.folder)/\u{1B}[31m.png", mode: 0o600, owner: "bob")
      $0.run(as: "alice")
    }
    let lines = Lines()
    let status = await withContractors {
      $0.permissions = PermissionsService(machine: machine)
    } operation: {
      await choose_pictures.Program { lines.add($0) }.run()
    }
    return (lines.all, status)
  }

  @Test func `prints each file, as far as it can be read`() async {
    let names = ["mine.png", "\u{1B}[31m.png", "none.png"]
    let result = await run(PortalFileReply(choosing: names.map { "\(Self.folder)/\($0)" }))
    #expect(
      result.lines == [
        "mine.png: 0 bytes", "?[31m.png: cannot be read: permission denied",
        "none.png: cannot be read: no such file or directory",
      ])
    #expect(result.status == 0)
  }

  @Test(arguments: [PortalFileReply(.refused), PortalFileReply(.failed("\u{1B}[1m"))])
  func `ends without pictures where none are chosen`(reply: PortalFileReply) async {
    let result = await run(reply)
    #expect(result.lines.count == 1)
    #expect(result.lines.first?.hasPrefix("no pictures: ") == true)
    #expect(result.lines.first?.contains("\u{1B}") == false)
    #expect(result.status == 1)
  }
}
