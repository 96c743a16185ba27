import AccessModel
import Testing
import UdevRules

/// Causes that name a rule, and rules that are printed only if they are effective.
struct ProvenRuleTests {
  private static let late = RuleFile(
    folder: "/usr/lib/udev/rules.d", name: "73-seat-late.rules",
    bytes: Array(#"TAG=="uaccess", ENV{MAJOR}!="", RUN{builtin}+="uaccess""#.utf8))

  /// Explains a camera without its tag to alice, who is active, on a machine with the given rules.
  private func explanation(_ name: String, _ text: String) -> Explanation {
    Fixtures.camera.with { fixtures in
      fixtures.device { $0.currentTags = ["seat"] }
      fixtures.session("2", isActive: true, active: Fixtures.alice)
      let own = RuleFile(
        folder: "/etc/udev/rules.d", name: name, bytes: Array((text + "\n").utf8))
      var rules = RuleFacts(node: "/dev/video0", files: [own, Self.late], version: 252)
      rules.device = UdevRuleDevice(
        path: "/devices/usb1/1-5/video4linux/video0", subsystem: "video4linux",
        node: "/dev/video0", number: UdevRuleDevice.Number(major: 81, minor: 0),
        attributes: ["idVendor": .absent, "idProduct": .absent, "index": .present("0")],
        properties: ["MAJOR": "81"])
      rules.parents = [
        UdevRuleDevice(
          path: "/devices/usb1/1-5", subsystem: "usb",
          attributes: ["idVendor": .present("046d"), "idProduct": .present("0825")])
      ]
      rules.record = UdevRuleEvent.Record()
      rules.handled = 100
      fixtures.facts.rules = rules
    }.explain()
  }

  private func files(_ explanation: Explanation) -> [String] {
    explanation.remedies.compactMap { remedy in
      remedy.commands.first?.split(separator: "/").last.map(String.init)
    }.filter { $0.contains("devaccess-uaccess") }
  }

  @Test func `a rule is printed where it has its effect`() {
    let explanation = explanation("50-other.rules", #"KERNEL=="nosuch", MODE="0600""#)
    #expect(explanation.cause?.code == .uaccessNotTagged)
    #expect(files(explanation) == ["73-devaccess-uaccess.rules"])
  }

  @Test func `a rule that another one undoes is put into another file`() {
    let between = #"SUBSYSTEM=="video4linux", TAG="seat""#
    #expect(files(explanation("73-e.rules", between)).isEmpty)
    #expect(files(explanation("73-a.rules", between)) == ["73-devaccess-uaccess.rules"])
    // logind reads the tag again later.
    #expect(files(explanation("90-z.rules", between)).isEmpty)
  }

  @Test func `a rule that tags too late is named, and put before`() throws {
    let explanation = explanation("99-cam.rules", #"SUBSYSTEM=="video4linux", TAG+="uaccess""#)
    let summary = try #require(explanation.cause?.summary)
    #expect(summary.contains("/etc/udev/rules.d/99-cam.rules:1 tags it after"))
    #expect(summary.contains("73-seat-late.rules:1"))
    let first = try #require(explanation.remedies.first)
    #expect(
      first.commands == [
        "mv /etc/udev/rules.d/99-cam.rules /etc/udev/rules.d/72-cam.rules",
        "udevadm control --reload", "udevadm trigger --settle --name-match=/dev/video0",
      ])
    #expect(first.isProven)
  }

  @Test func `a rule that was meant to tag it is named with the match that fails`() throws {
    let explanation = explanation(
      "70-cam.rules", #"SUBSYSTEM=="video4linux", ATTRS{idVendor}=="046D", TAG+="uaccess""#)
    let summary = try #require(explanation.cause?.summary)
    #expect(summary.contains("/etc/udev/rules.d/70-cam.rules:1 does not apply"))
    #expect(summary.contains(#"ATTRS{idVendor}=="046D" does not match"#))
    #expect(
      explanation.remedies.first?.commands.first?.contains(#"ATTRS{idVendor}=="046d""#) == true)
  }

  @Test func `a rule that waits for an event needs no other`() throws {
    let explanation = explanation("70-cam.rules", #"KERNEL=="video0", TAG+="uaccess""#)
    #expect(try #require(explanation.cause?.summary).contains("has not processed the device since"))
    #expect(files(explanation).isEmpty)
    #expect(explanation.remedies.first?.commands.first == "udevadm control --reload")
    #expect(
      explanation.evidence.contains("/etc/udev/rules.d/70-cam.rules:1 sets the uaccess tag"))
  }
}
