import AccessModel
import Testing
import UdevRules

/// Rules files so large that quadratic algorithms would take hours.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `A hundred thousand rules` {
  private static let count = 100_000

  private static func answer(
    _ lines: some Sequence<String>, rule: RuleReference? = nil
  ) -> RuleAnswer {
    let text = lines.joined(separator: "\n") + "\n" + #"KERNEL=="video0", MODE="0604""# + "\n"
    let file = RuleFile(
      folder: RuleSample.folder, name: "60-many.rules", bytes: Array(text.utf8), modified: 50)
    return RuleAnswer(RuleSample.facts([file]), node: nil, rule: rule)
  }

  @Test func `that match nothing leave the last one its effect`() {
    let answer = Self.answer(repeatElement(#"KERNEL=="nosuch", MODE="0600""#, count: Self.count))
    #expect(answer.report?.node.mode == .value(0o604))
    #expect(answer.deciding(.mode)?.place.line == Self.count + 1)
  }

  @Test func `can give as many tags, each by its own line`() {
    // Matching a property generates the lists of tags and links again.
    let answer = Self.answer(
      (0..<Self.count).map { #"ENV{ID_BUS}!="none", TAG+="t\#($0)""# })
    #expect(answer.report?.currentTags.count == Self.count)
    let tags = answer.report?.currentTags ?? []
    let lines = Set(tags.compactMap { answer.deciding(.tag($0))?.place.line })
    #expect(lines.count == Self.count)
  }

  @Test func `can take away all tags, each line anew`() {
    let given = (0..<Self.count / 2).map { #"ENV{GIVEN_\#($0)}="1""# }
    let taken = repeatElement(#"TAG="only""#, count: Self.count / 2)
    let answer = Self.answer(given + taken)
    #expect(answer.report?.currentTags == ["only"])
    #expect(answer.deciding(.tag("only"))?.place.line == Self.count)
  }

  @Test func `can ask for one tag among as many`() {
    let given = (0..<Self.count / 2).map { #"TAG+="t\#($0)""# }
    let asked = (0..<Self.count / 2).map { #"TAG=="t\#($0)|none", ENV{SEEN_\#($0)}="1""# }
    let answer = Self.answer(given + asked)
    #expect(answer.report?.recorded["SEEN_49999"] == "1")
  }

  @Test(arguments: [("==", "many"), ("!=", "other")])
  func `can ask for one link among as many, or for none`(comparison: String, folder: String) {
    let given = (0..<Self.count / 2).map { #"SYMLINK+="many/\#($0)""# }
    let asked = (0..<Self.count / 2).map {
      #"SYMLINK\#(comparison)"\#(folder)/\#($0)|none", ENV{SEEN_\#($0)}="1""#
    }
    let answer = Self.answer(given + asked)
    #expect(answer.report?.recorded["SEEN_49999"] == "1")
  }

  @Test func `can doubt as many properties, each by a program of its own`() {
    let given = (0..<Self.count / 2).map { #"ENV{GIVEN_\#($0)}="1""# }
    let doubtful = (0..<Self.count / 4).map { #"IMPORT{program}="unknown-\#($0)""# }
    let asked = (0..<Self.count / 4).map { #"ENV{NONE_\#($0)}=="1", ENV{SEEN}="1""# }
    let answer = Self.answer(given + doubtful + asked)
    #expect(answer.report?.propertyDoubts["GIVEN_0"] == .program("unknown-24999"))
    #expect(answer.report?.propertyDoubts.count == Self.count / 2 + 1)
  }

  @Test func `can make as many links`() {
    let answer = Self.answer(
      (0..<Self.count).map { #"ENV{ID_BUS}!="none", SYMLINK+="many/\#($0)""# })
    #expect(answer.report?.links.count == Self.count)
  }

  @Test func `can jump to one label, or to none`() {
    let jumps = repeatElement(#"KERNEL=="nosuch", GOTO="end""#, count: Self.count / 2)
    let lost = repeatElement(#"GOTO="nowhere""#, count: Self.count / 2)
    let answer = Self.answer(Array(jumps) + Array(lost) + [#"LABEL="end""#])
    #expect(answer.report?.node.mode == .value(0o604))
    #expect(answer.findings.contains { $0.code == .invalid })
  }

  @Test(arguments: ["/etc/udev/rules.d/60-many.rules", "/home/a/60-many.rules"])
  func `are told about one by one up to a bound`(path: String) {
    let text = String(repeating: "MODE=\"0600\"\n", count: Self.count)
    let folder = String(path.dropLast("/60-many.rules".utf8.count))
    let file = RuleFile(
      folder: folder, name: "60-many.rules", bytes: Array(text.utf8), modified: 50)
    let answer = RuleAnswer(
      RuleSample.facts([file]), node: nil, rule: RuleReference(file: path))
    #expect(answer.verdicts.count == 256)
  }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct `Ten megabytes` {
  private static let size = 10 << 20

  private static func file(_ bytes: [UInt8]) -> UdevRuleFile {
    UdevRuleFile(path: "/etc/udev/rules.d/60-large.rules", bytes: bytes, version: 252)
  }

  /// Repeats bytes by doubling, because tests are not optimized, and a byte-by-byte loop would take
  /// longer than the code under test.
  private static func repeated(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let whole = size / bytes.count * bytes.count
    var repeated = Array(bytes)
    while repeated.count < whole { repeated += repeated }
    return Array(repeated.prefix(whole))
  }

  @Test func `of rules are read`() {
    let line = #"KERNEL=="nosuch", MODE="0600""# + "\n"
    #expect(Self.file(Self.repeated(line.utf8)).lines.count == Self.size / line.utf8.count)
  }

  @Test func `of one line are one problem`() {
    let file = Self.file(Self.repeated("a".utf8))
    #expect(file.lines.isEmpty)
    #expect(file.problems.map(\.code) == [.lineTooLong])
  }

  @Test func `of one continued line are one problem`() {
    let file = Self.file(Self.repeated("A=\"b\", \\\n".utf8))
    #expect(file.lines.isEmpty)
    #expect(file.problems.count == 1)
  }

  @Test func `of bytes that are no UTF-8 leave the line after them`() {
    let bytes = Self.repeated(repeatElement(0xFF, count: 62) + [0xFE, 0x0A])
    let file = Self.file(bytes + Array("KERNEL==\"video0\", MODE=\"0600\"\n".utf8))
    #expect(file.lines.count == 1)
  }
}
