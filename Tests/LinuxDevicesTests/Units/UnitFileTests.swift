import Testing

@testable import LinuxDevices

@Suite struct `Unit files` {
  @Test(arguments: [
    ("[Service]\nUser=alice\n", ["Service User=alice"]),
    ("[Service]\nUser = alice \t\r\n", ["Service User=alice"]),
    ("\u{FEFF}", []),
    ("# [Service]\n; x=y\n[Service]\n\nUser=a", ["Service User=a"]),
    ("[Unit]\nA=1\n[Service]\nA=2", ["Unit A=1", "Service A=2"]),
    ("[Service]\nA=1 \\\n  2 \\\n3\nB=4", ["Service A=1  2  3", "Service B=4"]),
    ("[Service]\nA=1 \\\n# a comment \\\n2", ["Service A=1  2"]),
    ("[Service]\nA=1\\\\\nB=2", ["Service A=1\\\\", "Service B=2"]),
    ("[Service]\nA=1\\", ["Service A=1"]),
    ("[Service]\nA=1\\ \nB=2", ["Service A=1\\", "Service B=2"]),
    ("[Service]\nA==b=", ["Service A==b="]),
    ("[Service]\nA=", ["Service A="]),
  ])
  func `are read as systemd reads them`(text: String, expected: [String]) {
    let file = UnitFile(parsing: Array(text.utf8))
    #expect(file.assignments.map { "\($0.section) \($0.key)=\($0.value)" } == expected)
  }

  @Test(arguments: [
    [UInt8]("User=x\n[Service]\nnothing\n=empty\n".utf8), Array("[Service]\nA=".utf8) + [0xFF],
    Array("[Service]\nA=b\u{0}c".utf8), [0, 0, 0xFF, 0x0A, 0x5C], Array("[Service\n\\\n\\".utf8),
  ])
  func `that are malformed lose those lines and nothing else`(bytes: [UInt8]) {
    let file = UnitFile(parsing: bytes)
    #expect(file.assignments.isEmpty)
    #expect(file.malformedLines > 0)
  }

  @Test func `have a bounded number of assignments`() {
    let text = "[Service]\n" + String(repeating: "A=b\n", count: 20_000)
    let file = UnitFile(parsing: Array(text.utf8))
    #expect(file.isTruncated)
    #expect(file.assignments.count == 16_384)
  }

  @Test(arguments: [
    ("a b\tc", ["a", "b", "c"]), ("", []), ("  ", []), (#""a b" 'c d'"#, ["a b", "c d"]),
    (#"a\x20b \\"#, ["ax20b", #"\"#]), (#"a\ b\:"#, ["a b:"]), (#""unfinished"#, ["unfinished"]),
    (#"x"y"z"#, ["xyz"]), (#"\"#, [#"\"#]), (#"''"#, [""]), ("a:b", ["a:b"]),
  ])
  func `have values that are split into words`(value: String, expected: [String]) {
    #expect(UnitWords.split(value) == expected)
  }

  /// As `systemctl show` of systemd 252 prints them.
  @Test(
    arguments: [
      (#"/a\:b:/x\:y"#, [["/a:b", "/x:y"]]),
      (#""/a b":"/m b":norbind"#, [["/a b", "/m b", "norbind"]]),
      ("'/c:d' /e", [["/c:d"], ["/e"]]), (#"/a\x20b:/esc\ aped"#, [["/ax20b", "/esc aped"]]),
      (#""-/p q:/z""#, [["-/p q:/z"]]), (#"/a:"/half"way"#, [["/a", "/halfway"]]),
      ("/a:", [["/a", ""]]),
      ("", []),
    ] as [(String, [[String]])])
  func `have words that are split at colons`(value: String, expected: [[String]]) {
    #expect(UnitWords.fields(value) == expected)
  }

  @Test(arguments: [
    ("motion", "motion.service"), ("motion.service", "motion.service"),
    ("getty@tty1", "getty@tty1.service"), ("a\\x2db", "a\\x2db.service"), ("", nil),
    (".service", nil), ("@x", nil), ("a/b", nil), ("a b", nil), ("x.socket", nil),
    (String(repeating: "x", count: 300), nil), ("ü", nil),
  ])
  func `belong to names`(word: String, expected: String?) {
    #expect(UnitName(word)?.text == expected)
  }

  @Test func `have drop-ins of the instance, the template, the prefixes and the type`() throws {
    let name = try #require(UnitName("foo-bar-baz@x-y"))
    #expect(
      name.dropInFolders == [
        "foo-bar-baz@x-y.service.d", "foo-bar-baz@.service.d", "foo-bar-.service.d",
        "foo-.service.d", "foo-bar-@x-y.service.d", "foo-bar-@.service.d", "foo-@x-y.service.d",
        "foo-@.service.d",
      ])
    #expect(name.typeFolder == "service.d")
    #expect(
      try #require(UnitName("-a--b-")).dropInFolders == [
        "-a--b-.service.d", "-a--.service.d", "-a-.service.d",
      ])
    #expect(name.instance == "x-y")
    #expect(try #require(UnitName("foo@")).isTemplate)
  }

  @Test(arguments: [
    ("%i %p %n %N", "a-b foo foo@a-b.service foo@a-b"), ("%I", "a/b"), ("100%%", "100%"),
    ("%u:%U:%h", "root:0:/root"), ("%t/x", "/run/x"), ("%", "%"),
    ("%h\u{301}", "/root\u{301}"),
  ])
  func `have specifiers`(text: String, expected: String) throws {
    let specifiers = UnitSpecifiers(name: try #require(UnitName("foo@a-b")))
    #expect(specifiers.expand(text).text == expected)
    #expect(specifiers.expand(text).unknown.isEmpty)
  }

  @Test func `keep a specifier that is not known, and say so`() throws {
    let name = try #require(UnitName("foo"))
    #expect(UnitSpecifiers(name: name).expand("%m").unknown == ["m"])
    let file = UnitFile(parsing: Array("[Service]\nUser=%m\n".utf8))
    let settings = UnitSettingsReader.settings(of: name, files: [file])
    #expect(settings.user == "%m")
    #expect(settings.doubts.map(\.reason) == ["User= holds the specifier %m"])
  }
}
