import Testing
import UdevRules

@Suite struct MatchTests {
  @Test(
    arguments: [
      #"ACTION=="add""#, #"ACTION!="remove""#, #"DEVPATH=="*/video0""#,
      #"SUBSYSTEM=="video4linux""#,
      #"DRIVER=="""#, #"ENV{MAJOR}=="81""#, #"ENV{NONE}=="""#, #"ENV{NONE}!="?*""#,
      #"CONST{arch}=="x86*""#, #"TAG!="other""#, #"SYMLINK!="x""#,
      #"ATTR{name}=="A Camera""#, "ATTR{name}==\"A Camera \t\"", #"ATTR{index}!="1""#,
      #"ATTR{[dmi/id]board}=="X1""#, #"ATTR{[dmi/id]none}=="""#, #"SYSCTL{kernel.ostype}=="Linux""#,
      #"SYSCTL{kernel/ostype}=="Lin*""#, #"RESULT=="""#, #"TEST=="/etc""#, #"TEST!="/missing""#,
      #"TEST{0500}=="/etc""#, #"TEST{0022}!="/etc""#, #"NAME=="""#,
    ])
  func `a match of the device holds`(match: String) {
    #expect(Sample.holds(match) == true)
  }

  @Test(
    arguments: [
      #"ATTR{missing}=="x""#, #"ATTR{missing}!="x""#, #"ATTR{missing}=="""#, #"ATTR{name}=="a*""#,
      #"ATTR{[dmi/none]x}!="1""#, #"TEST=="/missing""#, #"KERNEL=="1-2""#,
      #"SUBSYSTEM=="subsystem""#,
    ])
  func `a match of the device fails`(match: String) {
    #expect(Sample.holds(match) == false)
  }

  @Test(
    arguments: [
      (#"ATTRS{idVendor}=="046d""#, true), (#"ATTRS{idProduct}=="0825""#, true),
      (#"ATTRS{name}=="A Camera""#, true), (#"KERNELS=="1-2", ATTRS{idVendor}=="046d""#, true),
      (#"KERNELS=="1-2:1.0", ATTRS{idVendor}=="046d""#, false),
      (#"SUBSYSTEMS=="usb", DRIVERS=="uvcvideo""#, true),
      (#"DRIVERS=="uvcvideo", ATTRS{idVendor}=="046d""#, false), (#"TAGS=="parental""#, true),
      (#"ATTRS{idVendor}!="0000""#, true), (#"KERNELS=="video0""#, true),
      (#"ATTRS{x}!="1""#, false),
    ])
  func `all matches of parents in a line need the same device`(match: String, holds: Bool) {
    #expect(Sample.holds(match) == holds)
  }

  @Test func `the first match that fails is named with what was found`() throws {
    let report = Sample.report(
      """
      KERNEL=="video*", SUBSYSTEM=="usb", MODE="0666"
      ATTRS{idVendor}=="046d", DRIVERS=="uvcvideo", MODE="0666"
      ATTR{nosuch}!="1", MODE="0666"
      """)
    let mismatches = report.outcomes.compactMap { outcome -> UdevRuleMismatch? in
      guard case .failed(let mismatch) = outcome.verdict else { return nil }
      return mismatch
    }
    #expect(
      mismatches.map(\.token.description) == [
        #"SUBSYSTEM=="usb""#, #"ATTRS{idVendor}=="046d""#, #"ATTR{nosuch}!="1""#,
      ])
    #expect(mismatches.map(\.found) == ["video4linux", nil, nil])
    // The interface satisfies DRIVERS, which is checked first, but the product does not match.
    #expect(mismatches.map(\.device) == [0, 1, 0])
    #expect(report.mode == .value(nil))
  }

  @Test func `a quote in a value is told with a backslash, also where a mark follows`() {
    let report = Sample.report("ATTR{nosuch}==\"a\\\"\u{301}b\", MODE=\"0666\"")
    guard case .failed(let mismatch)? = report.outcomes.first?.verdict else {
      Issue.record("\(String(describing: report.outcomes.first?.verdict))")
      return
    }
    #expect(
      Array(mismatch.token.description.utf8)
        == Array("ATTR{nosuch}==\"a\\\"\u{301}b\"".utf8))
  }

  @Test(
    arguments: [
      ("251", false), ("252", nil), ("252.9", false), ("252.10", true), ("253", nil),
      ("253.3", false), ("253.4", true), ("254", true),
    ] as [(String, Bool?)])
  func `a release decides what several links are compared with !=`(version: String, holds: Bool?) {
    var environment = Sample.environment
    environment.version = Sample.version(version)
    let report = Sample.report(
      #"SYMLINK+="a b""#, #"SYMLINK!="c", ENV{A}="1""#, #"SYMLINK!="?", ENV{B}="1""#,
      environment: environment)
    #expect(report.recorded["A"] == (holds == true ? "1" : nil))
    #expect((report.propertyDoubts["A"] != nil) == (holds == nil))
    // In older versions, `!=` succeeds if all links match.
    #expect(report.recorded["B"] == (holds == false ? "1" : nil))
    #expect((report.propertyDoubts["B"] != nil) == (holds == nil))
  }

  /// Names are looked up, and patterns are compared with each name.
  @Test(
    arguments: ["248", "252", "252.9", "252.39", "254"],
    [
      "", #"KEY+="a""#, #"KEY+="b""#, #"KEY+="a", KEY+="b""#, #"PROGRAM=="unknown", KEY+="a""#,
      #"KEY+="a", PROGRAM=="unknown", KEY+="b""#, #"KEY+="a", KEY-="a""#,
      #"PROGRAM=="unknown", KEY="a""#, #"KEY+="$result", IMPORT{program}="unknown""#,
      #"PROGRAM="unknown", KEY+="%c""#,
    ])
  func `a name means the same to several as a pattern for it alone`(version: String, given: String)
  {
    var environment = Sample.environment
    environment.version = Sample.version(version)
    var event = Sample.event
    event.record = UdevRuleEvent.Record()
    for key in ["SYMLINK", "TAG"] {
      for comparison in ["==", "!="] {
        for (name, pattern) in [("a", "[a]"), ("a|c", "[ac]"), ("c", "[c]"), ("|b", "|[b]")] {
          let reports = [name, pattern].map {
            Sample.report(
              given.replacing("KEY", with: key), #"\#(key)\#(comparison)"\#($0)", ENV{A}="1""#,
              event: event, environment: environment)
          }
          #expect(
            reports[0].recorded["A"] == reports[1].recorded["A"], "\(key)\(comparison)\(name)")
          #expect(reports[0].propertyDoubts["A"] == reports[1].propertyDoubts["A"])
        }
      }
    }
  }

  @Test(
    arguments: [
      ("252.39", false), ("253", nil), ("253.5", false), ("253.6", true), ("254", true),
    ] as [(String, Bool?)])
  func `the kernel's properties are imported without an entry of the database`(
    version: String, hasAction: Bool?
  ) {
    var environment = Sample.environment
    environment.version = Sample.version(version)
    var event = Sample.event
    event.record = UdevRuleEvent.Record()
    event.device.properties["DEVMODE"] = "0666"
    event.device.properties["ACTION"] = "add"
    func holds(_ name: String) -> Bool? {
      Sample.holds(#"IMPORT{db}=="\#(name)""#, event: event, environment: environment)
    }
    #expect(holds("DEVNAME") == true)
    #expect(holds("DEVMODE") == true)
    #expect(holds("NONE") == false)
    // The property is not in the `uevent` file, which older releases read again.
    #expect(holds("ACTION") == hasAction)
    // Values in the database take precedence.
    event.record?.properties["DEVMODE"] = "0600"
    let imported = Sample.report(#"IMPORT{db}="DEVMODE""#, event: event, environment: environment)
    #expect(imported.recorded == ["DEVMODE": "0600"])
  }

  @Test func `properties are imported`() {
    let report = Sample.report(
      """
      IMPORT{file}="/file", ENV{F}="yes"
      IMPORT{db}="OLD"
      IMPORT{db}="NONE", ENV{D}="no"
      IMPORT{cmdline}="debug"
      IMPORT{cmdline}="quiet"
      IMPORT{cmdline}!="nosuch", ENV{N}="yes"
      IMPORT{builtin}="usb_id"
      PROGRAM="tell", ENV{R}="%c{2+}"
      PROGRAM!="fail", ENV{P}="yes"
      """)
    #expect(
      report.recorded == [
        "A": "1", "C": "x y", "F": "yes", "OLD": "before", "debug": "2", "quiet": "1", "N": "yes",
        "ID_SERIAL": "7", "R": "two  three", "P": "yes",
      ])
    var event = Sample.event
    event.parents.removeFirst()
    #expect(
      Sample.report(#"IMPORT{parent}="ID_*""#, event: event).recorded == [
        "ID_MODEL": "Cam", "ID_BUS": "usb",
      ])
    #expect(Sample.holds(#"IMPORT{parent}=="nosuch""#, event: event) == true)
    var environment = Sample.environment
    environment.version = 258
    #expect(
      Sample.holds(#"IMPORT{parent}=="nosuch""#, event: event, environment: environment) == false)
  }
}
