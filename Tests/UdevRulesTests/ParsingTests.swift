import AccessModel
import Testing
import UdevRules

@Suite struct ParsingTests {
  @Test(
    arguments: [
      (#"MODE="1" #"# + "\n", "one line"),
      ("  MODE=\"1\"\r\n\r\n", "blanks and other ends"),
      ("MODE\\\n  =\"1\"", "continued, without an end"),
      ("MODE=\\\n# a comment in between\n\"1\"\n", "continued past a comment"),
      ("# MODE=\"2\" \\\nMODE=\"1\"\n", "a comment is not continued"),
      (",, MODE = \"1\" ,,\n", "commas and blanks"),
      ("\u{0}MODE=\"1\"\u{0}\n", "zero bytes end lines"),
    ])
  func `a line is read however it is written`(text: String, what: String) {
    let file = Sample.file(text.replacing(" #\n", with: "\n"))
    #expect(file.lines.map { $0.tokens.map(\.description) } == [[#"MODE="1""#]], "\(what)")
    #expect(file.problems.isEmpty)
  }

  @Test func `lines are numbered as editors number them`() throws {
    let file = Sample.file("#\nMODE=\\\n\"1\"\n\n\nMODE=\"2\"\n")
    #expect(file.lines.map(\.numbers) == [2...3, 6...6])
  }

  @Test(
    arguments: [
      ("MODE=0600", .invalidPair), ("MODE=\"0600", .invalidPair), ("MODE", .invalidPair),
      ("ATTR{x=\"1\"", .invalidPair), ("MODE=e\"\\q\"", .invalidPair),
      ("MODE=x\"1\"", .invalidPair),
      ("MODES=\"1\"", .unknownKey), ("MODE==\"1\"", .invalidOperator),
      ("KERNEL=\"x\"", .invalidOperator),
      ("ENV{A}-=\"1\"", .invalidOperator), ("SYMLINK-=\"x\"", .invalidOperator),
      ("MODE{x}=\"1\"", .invalidAttribute), ("ENV=\"1\"", .invalidAttribute),
      ("ATTR{}==\"1\"", .invalidAttribute), ("CONST{x}==\"1\"", .invalidAttribute),
      ("IMPORT{x}=\"1\"", .invalidAttribute), ("ENV{DEVNAME}=\"1\"", .fixedProperty),
      ("NAME=\"%k\"", .invalidValue), ("OPTIONS=\"link_priority=x\"", .invalidValue),
      ("TEST{9}==\"/\"", .invalidValue), ("RUN{builtin}+=\"x\"", .invalidValue),
      ("KERNEL==\"x\"", .noEffect), ("KERNEL==i\"x\", MODE=\"1\"", .invalidPair),
    ] as [(String, UdevRuleProblem.Code)])
  func `a wrong line is one problem, and ignored`(line: String, code: UdevRuleProblem.Code) {
    let file = Sample.file("MODE=\"1\"\n\(line)\nMODE=\"2\"\n")
    #expect(file.lines.map(\.number) == [1, 3])
    #expect(file.problems.map(\.code) == [code])
    #expect(file.problems.map(\.line) == [2])
    #expect(file.problems.map(\.consequence) == [.ignoresLine])
  }

  @Test(
    arguments: [
      ("MODE+=\"1\"", .assumedOperator, .none), ("ENV{A}:=\"1\"", .assumedOperator, .none),
      ("OPTIONS=\"x\", MODE=\"1\"", .unknownOption, .ignoresPart),
      ("GOTO=\"nowhere\", MODE=\"1\"", .missingLabel, .ignoresPart),
      ("GOTO=\"end\", GOTO=\"end\"", .repeatedJump, .ignoresPart),
      ("MODE=\"x\", ENV{A}=\"$attr\"", .invalidSubstitution, .none),
      ("MODE=\"\"", .invalidValue, .none), ("ENV{A}=\"$nosuch\"", .invalidSubstitution, .none),
    ] as [(String, UdevRuleProblem.Code, UdevRuleProblem.Consequence)])
  func `a doubtful line is one problem, and read`(
    line: String, code: UdevRuleProblem.Code, consequence: UdevRuleProblem.Consequence
  ) {
    let file = Sample.file("\(line)\nLABEL=\"end\"\n")
    #expect(file.lines.map(\.number) == [1, 2])
    #expect(file.problems.map(\.code) == [code])
    #expect(file.problems.map(\.consequence) == [consequence])
    #expect(file.problems.allSatisfy { !$0.title.isEmpty })
  }

  @Test func `a jump without its label leaves what the line does besides`() {
    let file = Sample.file(
      "KERNEL==\"x\", GOTO=\"no\"\nLABEL=\"no\", GOTO=\"no\"\nGOTO=\"l\"\nLABEL=\"l\"\n")
    #expect(file.lines.map(\.number) == [1, 2, 3, 4])
    #expect(file.lines.map(\.target) == [1, nil, 3, nil])
    let dropped = Sample.file("GOTO=\"l\"\nGOTO=\"m\"\nMODE=\"1\"\nLABEL=\"l\"\n")
    #expect(dropped.lines.map(\.number) == [1, 3, 4])
    #expect(dropped.lines.map(\.target) == [2, nil, nil])
  }

  @Test func `bytes that are not UTF-8 are read, and noted`() throws {
    let bytes = Array("ENV{A}=\"".utf8) + [0xFF, 0xC3] + Array("\"\n".utf8)
    let file = UdevRuleFile(path: "/f", bytes: bytes, version: 252)
    #expect(file.problems.map(\.code) == [.notUTF8])
    #expect(file.lines.first?.tokens.first?.value.bytes == [0xFF, 0xC3])
  }

  @Test func `a line of 16384 bytes ends the file, and in newer versions drops it`() {
    func file(_ length: Int, _ version: UdevRuleVersion) -> UdevRuleFile {
      let key = "ENV{A}=\"\""
      let value = String(repeating: "x", count: length - key.utf8.count)
      return Sample.file(
        "GOTO=\"end\"\nENV{A}=\"\(value)\"\nLABEL=\"end\"\n", version: version)
    }
    #expect(file(16383, 252).lines.count == 3)
    #expect(file(16383, 252).problems.isEmpty)
    let cut = file(16384, 252)
    #expect(cut.lines.map(\.number) == [1])
    #expect(cut.lines.first?.target == nil)
    #expect(cut.problems.map(\.consequence) == [.ignoresRest])
    #expect(file(16384, 257).lines.isEmpty)
    #expect(file(16384, 257).problems.map(\.consequence) == [.ignoresFile])
  }

  @Test func `lines that are too long together are ignored, and the next one is read`() {
    let part = String(repeating: "x", count: 9000)
    let file = Sample.file("ENV{A}=\"\(part)\\\n\(part)\\\n\"\nMODE=\"1\"\n")
    #expect(file.problems.map(\.code) == [.continuationTooLong])
    #expect(file.problems.map(\.line) == [1])
    #expect(file.lines.map(\.number) == [4])
    #expect(
      Sample.file("MODE=\"1\"\nMODE=\"2\", \\\n").problems.map(\.code) == [
        .unfinishedContinuation
      ])
  }

  @Test(
    arguments: [
      (#""a\"b""#, #"a"b"#), (#""a\b""#, #"a\b"#), (#"e"a\tb\x41\101""#, "a\tbAA"),
      (#"e"\u00e4\U0001F600\"\\""#, "ä😀\"\\"), (#"e"\s\n""#, " \n"),
    ])
  func `a value is read with its escapes`(written: String, value: String) {
    let file = Sample.file("ENV{A}=\(written)\n")
    #expect(file.lines.first?.tokens.first?.value.description == value)
  }

  @Test(arguments: [#"e"\x00""#, #"e"\400""#, #"e"\x4""#, #"e"\U00110000""#, #"e"a\""#, #"ee"x""#])
  func `an escape that does not exist makes the line wrong`(written: String) {
    #expect(Sample.file("ENV{A}=\(written)\n").problems.map(\.code) == [.invalidPair])
  }

  @Test func `parts of a line take effect in udev's order`() throws {
    let file = Sample.file(
      #"MODE="1", GROUP="2", TAG+="b", TAG+="a", ATTRS{x}=="1", KERNEL=="k", OWNER="$x""#)
    let line = try #require(file.lines.first)
    #expect(
      line.tokens.map(\.key) == [
        .kernel, .parentAttribute, .owner, .groupID, .modeID, .addTag, .addTag,
      ])
    #expect(line.tokens.map(\.position) == [5, 4, 6, 1, 0, 2, 3])
  }

  @Test(arguments: [
    (UdevRuleVersion(215), 2), (UdevRuleVersion(242), 2), (UdevRuleVersion(243), 0),
  ])
  func `the part before an error counted once`(version: UdevRuleVersion, kept: Int) {
    let text = #"KERNEL=="lp0", MODE="0660", GRUP=lp""#
    let file = UdevRuleFile(path: "/f", bytes: Array(text.utf8), version: version)
    #expect(file.lines.first?.tokens.count ?? 0 == kept)
    #expect(file.problems.first?.code == .invalidPair)
    // Every version drops a line that contains an unknown key.
    let unknown = UdevRuleFile(
      path: "/f", bytes: Array(#"KERNEL=="lp0", MODE="0660", GRUP="lp""#.utf8), version: version)
    #expect(unknown.lines.isEmpty)
  }

  @Test(arguments: [
    (UdevRuleVersion(257), true), (UdevRuleVersion(258), false), (UdevRuleVersion(260), false),
  ])
  func `an unknown group costs the whole line since systemd 258`(
    version: UdevRuleVersion, isTagged: Bool
  ) {
    var environment = Sample.environment
    environment.version = version
    let text = #"KERNEL=="video0", GROUP="nobody-has-it", TAG+="uaccess""#
    let file = UdevRuleFile(path: "/f", bytes: Array(text.utf8), version: version)
    let report = UdevRuleSet([file]).evaluate(Sample.event, environment)
    #expect(report.currentTags.contains("uaccess") == isTagged)
  }

  @Test func `any bytes are read without a trap`() {
    var generator = SystemRandomNumberGenerator()
    let words = [
      "KERNEL", "ATTR{", "}", "=", "==", "\"", "\\", "\n", "#", "GOTO", "LABEL", "e\"", "%",
      "$attr{",
      "*", "[", "|", ",", "\u{0}", "ENV{A}", "+=", "OPTIONS=\"link_priority=", "TEST{",
    ].map { Array($0.utf8) }
    for _ in 0..<2_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...40, using: &generator) {
        bytes +=
          Bool.random(using: &generator)
          ? words.randomElement(using: &generator) ?? []
          : [UInt8.random(in: 0...255, using: &generator)]
      }
      let file = UdevRuleFile(path: "/f", bytes: bytes, version: 257)
      let report = UdevRuleSet([file]).evaluate(Sample.event, Sample.environment)
      #expect(report.outcomes.count <= file.lines.count)
      #expect(file.lines.enumerated().allSatisfy { index, line in (line.target ?? .max) > index })
    }
  }
}
