import Testing

@testable import LinuxDevices

@Suite struct AccountFileTests {
  @Test func `users are read with their primary group and home`() {
    let file = AccountFile(
      users: Array("root:x:0:0:root:/root:/bin/sh\nann:x:1000:100:Ann,,,:/home/ann:\n".utf8))
    #expect(file.malformedLines == 0)
    #expect(file.lines.map(\.name) == ["root", "ann"])
    #expect(file.lines[1].group == 100)
    #expect(file.lines[1].home == "/home/ann")
  }

  @Test func `groups are read with their members`() {
    let file = AccountFile(groups: Array("video:x:44:ann,bob\nempty:!:45:\n".utf8))
    #expect(file.lines.map(\.members) == [["ann", "bob"], []])
  }

  @Test(arguments: [
    "x", "a:b", "ann:x:1000:100", "ann:x:-1:100:c:/h:s", "ann:x:4294967296:100:c:/h:s",
    "ann:x::100:c:/h:s", ":x:1:1:c:/h:s", "ann:x:1:1:c:/h:s:more", "\u{FFFD}:::::::",
  ])
  func `a malformed line is passed over and counted`(line: String) {
    let file = AccountFile(users: Array("\(line)\nroot:x:0:0::/root:/bin/sh\n".utf8))
    #expect(file.lines.map(\.id) == [0])
    #expect(file.malformedLines == 1)
  }

  @Test func `lines of network compatibility are no users`() {
    let file = AccountFile(users: Array("+::::::\n-bad::::::\n+@netgroup\n".utf8))
    #expect(file.lines.isEmpty)
    #expect(file.malformedLines == 0)
  }

  @Test func `control characters and invalid text in a name are replaced`() {
    let file = AccountFile(groups: Array("a".utf8) + [0x1B, 0xFF] + Array(":x:7:\n".utf8))
    #expect(file.lines.first?.name == "a\u{FFFD}\u{FFFD}")
  }
}
