import AccessModel
import Testing
import UdevRules

/// The camera of ``Sample``, with rules like those of a distribution.
enum RuleSample {
  static let folder = "/etc/udev/rules.d"

  static func file(_ name: String, _ text: String, in folder: String = folder) -> RuleFile {
    RuleFile(folder: folder, name: name, bytes: Array((text + "\n").utf8), modified: 50)
  }

  static let distribution = [
    file(
      "50-udev-default.rules", #"SUBSYSTEM=="video4linux", GROUP="video""#,
      in: "/usr/lib/udev/rules.d"),
    file(
      "73-seat-late.rules",
      "# A comment.\n" + #"TAG=="uaccess", ENV{MAJOR}!="", RUN{builtin}+="uaccess""#,
      in: "/usr/lib/udev/rules.d"),
  ]

  static func facts(_ files: [RuleFile]) -> RuleFacts {
    var facts = RuleFacts(node: "/dev/video0", files: files + distribution, version: 252)
    facts.device = Sample.camera
    facts.parents = [Sample.interface, Sample.product]
    facts.record = UdevRuleEvent.Record()
    facts.handled = 100
    facts.environment = Sample.environment
    facts.daemon.isReachable = true
    return facts
  }

  static func answer(_ rule: RuleReference, _ files: RuleFile...) -> RuleAnswer {
    RuleAnswer(facts(files), node: nil, rule: rule)
  }
}

@Suite struct `A rule without effect` {
  /// A rule, the reason why it has no effect, and the rule or command that fixes it.
  struct Case: CustomTestStringConvertible {
    let name: String
    let text: String
    var others: [RuleFile] = []
    let code: RuleFinding.Code
    var match: String?
    var fixed: String?
    var command: String?
    var testDescription: String { "\(name): \(text)" }
  }

  static let cases = [
    Case(
      name: "99-a.rules", text: #"SUBSYSTEM=="usb", ATTR{idVendor}=="046d", MODE="0666""#,
      code: .mismatch, match: #"SUBSYSTEM=="usb""#,
      fixed: #"SUBSYSTEM=="video4linux", ATTRS{idVendor}=="046d", MODE="0666""#),
    Case(
      name: "99-a.rules", text: #"SUBSYSTEM=="video4linux", ATTRS{idVendor}=="046D", MODE="0666""#,
      code: .mismatch, match: #"ATTRS{idVendor}=="046D""#,
      fixed: #"SUBSYSTEM=="video4linux", ATTRS{idVendor}=="046d", MODE="0666""#),
    Case(
      name: "99-a.rules", text: #"KERNEL=="1-2", SUBSYSTEM=="video4linux", MODE="0666""#,
      code: .mismatch, match: #"KERNEL=="1-2""#,
      fixed: #"KERNELS=="1-2", SUBSYSTEM=="video4linux", MODE="0666""#),
    Case(
      name: "99-a.rules", text: #"SUBSYSTEM="video4linux", MODE="0666""#, code: .invalid,
      fixed: #"SUBSYSTEM=="video4linux", MODE="0666""#),
    Case(
      name: "99-a.rules", text: #"KERNEL=="video0", MODE="0666" # my camera"#, code: .invalid,
      fixed: #"KERNEL=="video0", MODE="0666""#),
    Case(
      name: "99-a.rules", text: "KERNEL==\u{201C}video0\u{201D}, MODE=\u{201C}0666\u{201D}",
      code: .invalid, fixed: #"KERNEL=="video0", MODE="0666""#),
    Case(
      name: "99-a.rules", text: #"KERNEL=="video0", MODE="0666"#, code: .invalid,
      fixed: #"KERNEL=="video0", MODE="0666""#),
    Case(
      name: "99-a.rules", text: #"KERNEL=="video0", MODE=="0666""#, code: .invalid,
      fixed: #"KERNEL=="video0", MODE="0666""#),
    Case(
      name: "99-a.rules", text: #"KERNEL=="video0", SYMLINK=="cam""#, code: .invalid,
      fixed: #"KERNEL=="video0", SYMLINK+="cam""#),
    Case(
      name: "99-a.rules",
      text: #"DRIVERS=="uvcvideo", ATTRS{idVendor}=="046d", SYMLINK+="cam""#,
      code: .mismatch, match: #"ATTRS{idVendor}=="046d""#,
      fixed: #"SUBSYSTEM=="video4linux", ATTRS{idVendor}=="046d", SYMLINK+="cam""#),
    Case(
      name: "40-a.rules", text: #"SUBSYSTEM=="video4linux", GROUP="0""#, code: .overwritten,
      command: "mv /etc/udev/rules.d/40-a.rules /etc/udev/rules.d/72-a.rules"),
    Case(
      name: "99-a.rules", text: #"SUBSYSTEM=="video4linux", TAG+="uaccess""#, code: .tooLate,
      command: "mv /etc/udev/rules.d/99-a.rules /etc/udev/rules.d/72-a.rules"),
    Case(
      name: "60-a.rules", text: #"ENV{LATER}=="1", MODE="0666""#,
      others: [RuleSample.file("70-b.rules", #"SUBSYSTEM=="video4linux", ENV{LATER}="1""#)],
      code: .tooEarly, match: #"ENV{LATER}=="1""#,
      command: "mv /etc/udev/rules.d/60-a.rules /etc/udev/rules.d/72-a.rules"),
    Case(
      name: "60-a.rules", text: #"SUBSYSTEM=="video4linux", MODE="0666""#,
      others: [RuleSample.file("10-b.rules", #"SUBSYSTEM=="video4linux", MODE:="0600""#)],
      code: .fixedBefore, fixed: #"SUBSYSTEM=="video4linux", MODE:="0666""#,
      command: "mv /etc/udev/rules.d/60-a.rules /etc/udev/rules.d/05-a.rules"),
    Case(
      name: "60-a.rules", text: #"SUBSYSTEM=="video4linux", OWNER="nobody-has-it""#,
      code: .noSuchName, fixed: #"SUBSYSTEM=="video4linux", TAG+="uaccess""#),
    Case(
      name: "60-a.rules", text: #"SUBSYSTEM=="video4linux", GROUP="nobody-has-it""#,
      code: .noSuchName, command: "groupadd --system nobody-has-it"),
    Case(
      name: "99-a.rules", text: #"KERNEL=="video0", SYSFS{name}=="A Camera", MODE="0666""#,
      code: .invalid, fixed: #"KERNEL=="video0", ATTRS{name}=="A Camera", MODE="0666""#),
    Case(
      name: "99-a.rules", text: #"BUS=="usb", ID=="1-2", MODE="0666""#, code: .invalid,
      fixed: #"SUBSYSTEM=="video4linux", SUBSYSTEMS=="usb", KERNELS=="1-2", MODE="0666""#),
    Case(
      name: "99-a.rules", text: #"kernel="video0", Mode="0666""#, code: .invalid,
      fixed: #"KERNEL=="video0", MODE="0666""#),
    Case(
      name: "99-a.rules", text: "KERNEL=='video0', MODE='0666'", code: .invalid,
      fixed: #"KERNEL=="video0", MODE="0666""#),
    Case(
      name: "99-a.rules", text: #"SUBSYTEM=="video4linux", MODE="0666""#, code: .invalid,
      fixed: #"SUBSYSTEM=="video4linux", MODE="0666""#),
    Case(
      name: "99-a.rules", text: #"KERNEL=="video0", NAME="cam""#, code: .irrelevant,
      fixed: #"KERNEL=="video0", SYMLINK+="cam""#),
    Case(
      name: "99-a.rules", text: #"KERNEL=="video0", RUN+="chmod 666 $devnode""#,
      code: .missingProgram, fixed: #"KERNEL=="video0", RUN+="/usr/bin/chmod 666 $devnode""#),
    Case(
      name: "99-a.rules", text: #"KERNEL=="video0", MODE="rw-rw----""#, code: .invalid,
      fixed: #"KERNEL=="video0", MODE="0660""#),
    Case(
      name: "99-a.rules", text: #"KERNEL=="video0", MODE:="ug=rw,o=""#, code: .invalid,
      fixed: #"KERNEL=="video0", MODE:="0660""#),
    Case(name: "99-a.rules", text: #"KERNEL=="video0", MODE="g+rw""#, code: .invalid),
    Case(
      name: "99-a.rules", text: #"TEST=="/missing", KERNEL=="video0", MODE="0666""#,
      code: .mismatch, match: #"TEST=="/missing""#, fixed: #"KERNEL=="video0", MODE="0666""#),
    Case(
      name: "60-a.rules", text: #"PROGRAM=="ask", MODE="0666""#, code: .undetermined),
  ]

  @Test(arguments: cases)
  func `names why, and a fix that works with all other rules`(sample: Case) throws {
    let answer = RuleAnswer(
      RuleSample.facts([RuleSample.file(sample.name, sample.text)] + sample.others), node: nil,
      rule: RuleReference(file: sample.name))
    let verdict = try #require(answer.verdicts.first)
    let finding = try #require(verdict.finding)
    #expect(finding.code == sample.code)
    #expect(verdict.mismatch?.match == sample.match)
    #expect(verdict.effect == (sample.code == .undetermined ? .undetermined : .ineffective))
    #expect(finding.fix?.line == sample.fixed)
    if sample.fixed == nil, sample.command == nil { #expect(finding.fix == nil) }
    if let command = sample.command {
      #expect(finding.fix?.commands.first == command)
    }
    if let fix = finding.fix {
      #expect(fix.isProven)
      #expect(
        fix.commands.suffix(2) == [
          "udevadm control --reload", "udevadm trigger --settle --name-match=/dev/video0",
        ])
    }
  }

  @Test func `does not write its fix onto the file that holds other rules`() throws {
    let answer = RuleSample.answer(
      RuleReference(file: "99-mine.rules", line: 1),
      RuleSample.file(
        "99-mine.rules",
        #"SUBSYSTEM=="video4linux", KERNEL=="video9", MODE="0600""# + "\n"
          + #"KERNEL=="video0", MODE="0640""# + "\n" + #"KERNEL=="ttyS0", GROUP="video""#))
    let fix = try #require(answer.verdicts.first?.finding?.fix)
    #expect(fix.commands.first?.hasSuffix("> /etc/udev/rules.d/zz-mine.rules") == true)
  }

  @Test func `does not hide the file of a package with its fix`() throws {
    let answer = RuleSample.answer(
      RuleReference(file: "72-mine.rules", line: 1),
      RuleSample.file(
        "72-mine.rules",
        #"SUBSYSTEM=="video4linux", MODE="0600""# + "\n"
          + #"SUBSYSTEM=="video4linux", MODE="0640""#, in: "/usr/lib/udev/rules.d"))
    let fix = try #require(answer.verdicts.first?.finding?.fix)
    #expect(fix.commands.first?.hasSuffix("> /etc/udev/rules.d/80-mine.rules") == true)
  }

  @Test(arguments: [
    (["99-a.rules"], "zz-a.rules"), (["80-a.rules"], "90-a.rules"), (["a.rules"], "zz-a.rules"),
    (["zz.rules"], "zzz-zz.rules"), (["99-a.rules", "zzz.rules"], "zzzz-a.rules"),
  ])
  func `loses to what overrides a later line that agrees with it`(
    names: [String], free: String
  ) throws {
    let wide = #"KERNEL=="video0", MODE="0666""#
    let narrow = #"KERNEL=="video0", MODE="0640""#
    let files = names.map { RuleSample.file($0, "\(wide)\n\(narrow)") }
    for name in names {
      let answer = RuleAnswer(
        RuleSample.facts(files), node: nil, rule: RuleReference(file: name, line: 1))
      let finding = try #require(answer.verdicts.first?.finding)
      #expect(answer.effect == .ineffective)
      #expect(finding.code == .overwritten)
      let word = name == "99-a.rules" || names.count == 1 ? free : "zzzz-zzz.rules"
      #expect(finding.fix?.commands.first?.hasSuffix("> /etc/udev/rules.d/\(word)") == true)
    }
    // A rule that precedes both files agrees only with their first lines.
    let early = RuleSample.file("10-a.rules", wide)
    let answer = RuleAnswer(
      RuleSample.facts(files + [early]), node: nil, rule: RuleReference(file: "10-a.rules"))
    #expect(answer.effect == .ineffective)
    let last = UdevRulePlace(path: "/etc/udev/rules.d/\(names[0])", line: 2)
    let lost = answer.report?.effects.filter { $0.token.value == "0666" }.prefix(2)
    #expect(lost?.allSatisfy { $0.overwritten == last } == true)
  }

  @Test func `has its effect where all later lines agree with it`() {
    let wide = #"KERNEL=="video0", MODE="0666""#
    let answer = RuleSample.answer(
      RuleReference(file: "10-a.rules"), RuleSample.file("10-a.rules", wide),
      RuleSample.file("20-b.rules", wide))
    #expect(answer.effect == .effective)
    #expect(answer.deciding(.mode)?.place.path == "/etc/udev/rules.d/20-b.rules")
  }

  @Test(arguments: [#"MODE="0666""#, #"MODE="0600""#])
  func `depends on a later line that may or may not set the mode`(other: String) {
    let doubtful = RuleSample.file(
      "20-b.rules", #"KERNEL=="video0", PROGRAM=="ask", "# + other)
    let mine = RuleSample.file("10-a.rules", #"KERNEL=="video0", MODE="0666""#)
    let rule = RuleReference(file: "10-a.rules")
    let isSame = other.contains("0666")
    #expect(RuleSample.answer(rule, mine, doubtful).effect == (isSame ? .effective : .undetermined))
    let last = RuleSample.file("30-c.rules", #"KERNEL=="video0", MODE="0640""#)
    #expect(RuleSample.answer(rule, mine, doubtful, last).effect == .ineffective)
  }

  @Test func `has a name that udevd does not read`() throws {
    let answer = RuleSample.answer(
      RuleReference(file: "70-a.rule"),
      RuleSample.file("70-a.rule", #"SUBSYSTEM=="video4linux", TAG+="uaccess""#))
    let finding = try #require(answer.findings.first)
    #expect(finding.code == .wrongName)
    #expect(
      finding.fix?.commands.first
        == "mv /etc/udev/rules.d/70-a.rule /etc/udev/rules.d/70-a.rules")
    #expect(answer.effect == .ineffective)
  }

  @Test func `has a name that begins with a dot`() throws {
    let answer = RuleSample.answer(
      RuleReference(file: ".70-a.rules"),
      RuleSample.file(".70-a.rules", #"SUBSYSTEM=="video4linux", TAG+="uaccess""#))
    let finding = try #require(answer.findings.first)
    #expect(finding.code == .wrongName)
    #expect(
      finding.fix?.commands.first
        == "mv /etc/udev/rules.d/.70-a.rules /etc/udev/rules.d/70-a.rules")
  }

  @Test func `is hidden by a mask`() throws {
    let answer = RuleSample.answer(
      RuleReference(file: "/usr/lib/udev/rules.d/70-a.rules", line: 1),
      RuleFile(folder: RuleSample.folder, name: "70-a.rules", state: .empty),
      RuleSample.file(
        "70-a.rules", #"SUBSYSTEM=="video4linux", TAG+="uaccess""#, in: "/usr/lib/udev/rules.d"))
    let finding = try #require(answer.findings.first)
    #expect(finding.code == .masked)
    #expect(finding.fix?.commands.first == "rm /etc/udev/rules.d/70-a.rules")
  }

  @Test func `lies in another folder`() throws {
    let answer = RuleSample.answer(
      RuleReference(file: "/home/alice/70-a.rules"),
      RuleSample.file(
        "70-a.rules", #"SUBSYSTEM=="video4linux", TAG+="uaccess""#, in: "/home/alice"))
    let finding = try #require(answer.findings.first)
    #expect(finding.code == .wrongFolder)
    #expect(
      finding.fix?.commands.first
        == "cp /home/alice/70-a.rules /etc/udev/rules.d/70-a.rules")
  }

  @Test func `wants of one parent what two have`() throws {
    let answer = RuleSample.answer(
      RuleReference(file: "70-a.rules"),
      RuleSample.file(
        "70-a.rules", #"ATTRS{bInterfaceClass}=="0e", ATTRS{idVendor}=="046d", MODE="0666""#))
    let finding = try #require(answer.verdicts.first?.finding)
    #expect(finding.summary.contains("different devices"))
  }

  @Test func `is passed over by a GOTO`() throws {
    let answer = RuleSample.answer(
      RuleReference(file: "70-a.rules", line: 2),
      RuleSample.file(
        "70-a.rules",
        #"SUBSYSTEM=="video4linux", GOTO="end""# + "\n"
          + #"SUBSYSTEM=="video4linux", MODE="0666""# + "\n" + #"LABEL="end""#))
    let finding = try #require(answer.verdicts.first?.finding)
    #expect(finding.code == .skipped)
    #expect(finding.fix?.commands.first?.hasSuffix("> /etc/udev/rules.d/70-a-own.rules") == true)
  }

  @Test func `waits for an event`() throws {
    var facts = RuleSample.facts([
      RuleSample.file("70-a.rules", #"SUBSYSTEM=="video4linux", MODE="0666""#)
    ])
    facts.handled = 40
    let answer = RuleAnswer(facts, node: nil, rule: RuleReference(file: "70-a.rules"))
    #expect(answer.effect == .effective)
    #expect(answer.findings.first?.code == .noEventSince)
    facts.daemon.isReachable = false
    #expect(RuleAnswer(facts, node: nil).findings.first?.code == .noDaemon)
  }
}

@Suite struct `The rules of a device` {
  @Test func `name the lines that decide`() throws {
    let answer = RuleAnswer(
      RuleSample.facts([
        RuleSample.file("40-a.rules", #"SUBSYSTEM=="video4linux", GROUP="0", MODE="0600""#)
      ]), node: nil)
    #expect(answer.lines.count == 2)
    #expect(answer.lines[0].effects.first { $0.subject == .group }?.overwritten != nil)
    #expect(answer.deciding(.group)?.place.path == "/usr/lib/udev/rules.d/50-udev-default.rules")
    #expect(answer.deciding(.mode)?.place.path == "/etc/udev/rules.d/40-a.rules")
  }

  @Test func `differ from a node that something changed`() throws {
    var node = Node(path: "/dev/video0", type: .characterDevice, mode: 0o600, uid: 0, gid: 0)
    node.rdev = DeviceNumber(major: 81, minor: 0)
    let answer = RuleAnswer(RuleSample.facts([]), node: node)
    #expect(answer.findings.map(\.code) == [.changedAfterwards])
    node.mode = 0o660
    node.gid = 44
    #expect(RuleAnswer(RuleSample.facts([]), node: node).findings.isEmpty)
  }

  @Test func `name the lines that udevd ignores`() {
    let answer = RuleAnswer(
      RuleSample.facts([RuleSample.file("60-a.rules", "NOSUCH==\"1\", MODE=\"0666\"")]), node: nil)
    #expect(answer.findings.map(\.code) == [.invalid])
  }
}
