import Testing
import UdevRules

@Suite struct DoubtTests {
  @Test func `what depends on a program that is not known is undetermined`() throws {
    let report = Sample.report(
      """
      PROGRAM="unknown", MODE="0666", TAG+="t", SYMLINK+="l"
      RESULT=="x", ENV{A}="1"
      GROUP="video"
      """)
    #expect(
      report.outcomes.map(\.verdict) == [
        .undetermined([.program("unknown")]), .undetermined([.program("unknown")]), .matched,
      ])
    #expect(report.mode.known == nil)
    #expect(report.group == .value(44))
    #expect(report.node.mode.known == nil)
    #expect(!report.tagsAreComplete && !report.currentTagsAreComplete)
    #expect(!report.linksAreComplete)
    #expect(report.links.isEmpty)
    #expect(report.propertyDoubts.keys.map(\.description) == ["A"])
  }

  @Test func `a tag taken away again is open among all tags, and not among those of the event`() {
    let report = Sample.report(#"PROGRAM="unknown", TAG+="t""#, #"TAG-="t""#)
    #expect(report.currentTags.isEmpty && report.currentTagsAreComplete)
    #expect(report.tags == ["earlier"] && !report.tagsAreComplete)
  }

  @Test func `a later line makes certain what an undetermined one left open`() {
    let report = Sample.report(#"PROGRAM="unknown", MODE="0666""#, #"MODE="0600""#)
    #expect(report.mode == .value(0o600))
    let same = Sample.report(#"MODE="0600""#, #"PROGRAM="unknown", MODE="0600""#)
    #expect(same.mode == .value(0o600))
    let fixed = Sample.report(#"PROGRAM="unknown", MODE:="0666""#, #"MODE="0600""#)
    #expect(fixed.mode.known == nil)
  }

  @Test func `a jump that may be taken leaves open what is between`() {
    let report = Sample.report(
      """
      PROGRAM="unknown", GOTO="end"
      MODE="0666"
      KERNEL=="nosuch", GROUP="video"
      LABEL="end"
      OWNER="alice"
      """)
    #expect(report.mode.known == nil)
    #expect(report.group == .value(nil))
    #expect(report.owner == .value(1000))
  }

  @Test func `a program may import any property but the kernel's`() {
    let report = Sample.report(
      """
      ENV{BEFORE}="1"
      IMPORT{program}="unknown", ENV{IN}="1"
      ENV{AFTER}="1"
      ENV{MAJOR}=="81", ENV{KERNEL}="1"
      ENV{OTHER}=="1", MODE="0666"
      """)
    #expect(report.recorded == ["AFTER": "1", "KERNEL": "1"])
    #expect(report.propertyDoubts.keys.map(\.description).sorted() == ["BEFORE", "IN"])
    #expect(!report.propertiesAreComplete)
    #expect(report.mode.known == nil)
  }

  @Test func `a built-in command sets only properties of its kind`() {
    let report = Sample.report(
      """
      ENV{A}="1"
      IMPORT{builtin}="path_id", ENV{DONE}="1"
      ENV{ID_PATH}=="x", MODE="0666"
      """)
    #expect(report.recorded == ["A": "1"])
    #expect(report.mode.known == nil)
    #expect(
      report.outcomes.last?.verdict == .undetermined([.builtin("path_id")]))
  }

  @Test func `what was unknown last is named, and what is set afterwards is known`() {
    let report = Sample.report(
      """
      ENV{ID_PATH_A}="1"
      ENV{ID_PATH_B}="1"
      ENV{OTHER}="1"
      IMPORT{program}="unknown"
      IMPORT{builtin}="path_id"
      ENV{ID_PATH_B}="2"
      IMPORT{builtin}="input_id"
      ENV{ID_PATH_C}=="1", ENV{ASKED}="1"
      """)
    #expect(report.recorded == ["ID_PATH_B": "2"])
    #expect(report.propertyDoubts["ID_PATH_A"] == .builtin("path_id"))
    #expect(report.propertyDoubts["OTHER"] == .program("unknown"))
    #expect(report.outcomes.last?.verdict == .undetermined([.builtin("path_id")]))
  }

  @Test(
    arguments: [
      (#"ATTR{unread}=="1""#, .attribute("unread", device: Sample.camera.path)),
      (#"TEST=="/unknown""#, .file("/unknown")), (#"SYSCTL{a.b}=="1""#, .setting("a/b")),
      (#"CONST{virt}=="x""#, .constant("virt")), (#"ATTR{[a/b]c}=="1""#, .device("a/b")),
      (#"IMPORT{file}=="/unknown""#, .file("/unknown")),
    ] as [(String, UdevRuleDoubt)])
  func `a fact that was not observed is named`(match: String, doubt: UdevRuleDoubt) {
    var event = Sample.event
    event.device.attributesAreComplete = false
    let report = Sample.report(match + #", ENV{X}="1""#, event: event)
    #expect(report.outcomes.map(\.verdict) == [.undetermined([doubt])])
  }

  @Test func `without the database old tags and properties are not known`() {
    var event = Sample.event
    event.record = nil
    #expect(Sample.holds(#"TAG=="x""#, event: event) == nil)
    #expect(Sample.holds(#"IMPORT{db}=="OLD""#, event: event) == nil)
    #expect(Sample.holds(#"KERNEL=="video0""#, event: event) == true)
  }

  @Test func `an attribute that a line wrote is not known, unless it was read before`() {
    let written = Sample.report(#"ATTR{index}="5""#, #"ATTR{index}=="5", ENV{A}="1""#)
    #expect(written.propertyDoubts["A"] != nil)
    let read = Sample.report(
      #"ATTR{index}=="0", ATTR{index}="5""#, #"ATTR{index}=="0", ENV{A}="1""#)
    #expect(read.recorded == ["A": "1"])
  }
}
