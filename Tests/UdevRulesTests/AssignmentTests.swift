import Testing
import UdevRules

@Suite struct AssignmentTests {
  @Test func `the last line gives the mode, and the trace says whose it overwrote`() throws {
    let report = Sample.report(#"MODE="0600""#, "\n" + #"MODE="0660", GROUP="video""#)
    #expect(report.mode == .value(0o660))
    #expect(report.group == .value(44))
    #expect(report.effects.map(\.subject) == [.mode, .group, .mode])
    #expect(report.effects.first?.overwritten?.description == "/etc/udev/rules.d/51-a.rules:2")
    #expect(report.effects.last?.overwritten == nil)
  }

  @Test func `:= keeps later lines out`() throws {
    let report = Sample.report(#"MODE:="0600""#, #"MODE="0666""#)
    #expect(report.mode == .value(0o600))
    #expect(report.effects.last?.fixed?.description == "/etc/udev/rules.d/50-a.rules:1")
    #expect(report.effects.last?.isCertain == false)
    let links = Sample.report(#"SYMLINK:="a", ENV{X}="1""#, #"SYMLINK+="b""#)
    #expect(links.links == ["/dev/a"])
  }

  @Test func `a group without a mode gives 0660`() {
    #expect(Sample.report(#"GROUP="video""#).node.mode == .value(0o660))
    #expect(Sample.report(#"GROUP="root""#).node.mode == .value(nil))
    #expect(Sample.report(#"GROUP="video", MODE="0""#).node.mode == .value(0))
    #expect(Sample.report("").node.mode == .value(nil))
    var event = Sample.event
    event.device.properties["DEVMODE"] = "0666"
    #expect(Sample.report(#"GROUP="video""#, event: event).node.mode == .value(0o666))
  }

  @Test func `a name that nobody has takes the owner of earlier lines away`() {
    #expect(Sample.report(#"OWNER="alice""#).owner == .value(1000))
    #expect(Sample.report(#"OWNER="alice""#, #"OWNER="nobody-has-it""#).owner == .value(nil))
    // A name that contains a substitution is looked up later, and then has no effect.
    #expect(
      Sample.report(#"ENV{N}="nobody-has-it", OWNER="alice""#, #"OWNER="$env{N}""#).owner
        == .value(1000))
    #expect(Sample.report(#"OWNER="unasked""#).owner == .unknown(.user("unasked")))
    #expect(Sample.report(#"GROUP="007""#).group == .unknown(.group("007")))
  }

  @Test(
    arguments: [
      ("247.3", true), ("252.39", true), ("252", nil), ("254.26", true), ("257.13", false),
      ("258.5", true), ("258.6", false), ("259", nil), ("262.1", false),
    ] as [(String, Bool?)])
  func `a release decides whether a property that turns out empty stays`(
    version: String, stays: Bool?
  ) {
    var environment = Sample.environment
    environment.version = Sample.version(version)
    let report = Sample.report(
      #"ENV{A}="1", ENV{B}="\#u{7}""#, #"ENV{A}="$env{NONE}""#, #"ENV{A}+="x""#,
      environment: environment)
    #expect(report.recorded["A"] == (stays == nil ? nil : stays == true ? " x" : "x"))
    #expect((report.propertyDoubts["A"] == .version) == (stays == nil))
    #expect((report.propertyDoubts["B"] == .version) == (stays != true))
  }

  @Test func `tags are added, removed and replaced`() {
    let report = Sample.report(#"TAG+="a", TAG+="b""#, #"TAG-="a", TAG+="bad tag", TAG+="c:d""#)
    #expect(report.currentTags == ["b"])
    #expect(report.tags == ["a", "b", "earlier"])
    #expect(Sample.report(#"TAG+="a""#, #"TAG="b""#).tags == ["b"])
    #expect(report.tagsAreComplete && report.currentTagsAreComplete)
  }

  @Test func `links are split, cleaned and removed`() {
    let report = Sample.report(
      #"SYMLINK+="a b/c d*e""#, #"OPTIONS="string_escape=replace", SYMLINK+="f g/h""#,
      #"SYMLINK+="x-$attr{name}""#)
    #expect(report.links == ["/dev/a", "/dev/b/c", "/dev/d_e", "/dev/f_g/h", "/dev/x-A_Camera"])
    #expect(Sample.report(#"SYMLINK+="a""#, #"SYMLINK="b""#).links == ["/dev/b"])
    var environment = Sample.environment
    environment.version = 257
    #expect(
      Sample.report(#"SYMLINK+="a b ../c /etc/d e//f""#, #"SYMLINK-="a""#, environment: environment)
        .links == ["/dev/b", "/dev/e/f"])
    let long = String(repeating: "x", count: 255)
    let lengths = ["a/\(long)", "b/\(long)x"].map { #"SYMLINK+="\#($0)""# }
    #expect(Sample.report(lengths[0], lengths[1]).links.count == 2)
    #expect(
      Sample.report(lengths[0], lengths[1], environment: environment).links
        == [UdevRuleText("/dev/a/\(long)")])
  }

  @Test func `a device without a node gets no links and no mode`() {
    var event = Sample.event
    event.device.number = nil
    let report = Sample.report(#"MODE="0666", SYMLINK+="x""#, #"TAG+="t""#, event: event)
    #expect(report.links.isEmpty)
    #expect(report.mode == .value(nil))
    #expect(report.outcomes.map(\.verdict) == [.irrelevant, .matched])
  }

  @Test func `a device that goes has what its database says`() {
    var event = Sample.event
    event.action = "remove"
    event.record?.links = ["/dev/old"]
    #expect(Sample.holds(#"ENV{OLD}=="before""#, event: event) == true)
    #expect(Sample.holds(#"SYMLINK=="old""#, event: event) == true)
    #expect(Sample.holds(#"IMPORT{db}=="OLD""#, event: event) == false)
  }

  @Test func `properties are set, extended and removed`() {
    let report = Sample.report(
      #"ENV{A}="1", ENV{.B}="2", ENV{C}+="3", ENV{D}="4""#,
      #"ENV{A}+="$env{.B}", ENV{C}+="", ENV{D}="""#)
    #expect(report.recorded == ["A": "1 2", "C": "3"])
    #expect(Sample.report("ENV{A}=\"\(String(repeating: "x", count: 512))\"").recorded.isEmpty)
    #expect(Sample.report("ENV{A}=\"\(String(repeating: "x", count: 511))\"").recorded.count == 1)
  }

  @Test func `commands are listed, and := ends the list`() {
    let report = Sample.report(
      #"RUN+="/bin/a $kernel", RUN{builtin}+="kmod load""#, #"RUN:="/bin/b""#, #"RUN+="/bin/c""#)
    #expect(report.commands.map(\.text) == [.value("/bin/b")])
    let both = Sample.report(#"RUN{builtin}+="kmod load", RUN+="/bin/a $kernel""#)
    #expect(both.commands.map(\.text) == [.value("kmod load"), .value("/bin/a video0")])
    #expect(both.commands.map(\.isBuiltin) == [true, false])
  }

  @Test func `GOTO leads past lines, which the trace names`() {
    let report = Sample.report(
      """
      KERNEL=="video0", GOTO="end"
      MODE="0666"
      LABEL="end", ENV{END}="1"
      """)
    #expect(report.mode == .value(nil))
    #expect(report.recorded == ["END": "1"])
    #expect(
      report.outcomes.map(\.verdict) == [
        .matched, .skipped(by: UdevRulePlace(path: "/etc/udev/rules.d/50-a.rules", line: 1)),
        .matched,
      ])
  }
}
