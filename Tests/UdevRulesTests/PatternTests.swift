import Testing
import UdevRules

@Suite struct PatternTests {
  @Test(
    arguments: [
      ("video0", true), ("video", false), ("video*", true), ("*0", true), ("v*d*0", true),
      ("video?", true), ("video??", false), ("video[0-9]", true), ("video[!0-9]", false),
      ("video[^a]", true), ("[[:alpha:]]ideo0", true), ("video[[:digit:]]", true),
      ("[[:nosuch:]]ideo0", false), ("video[]0]", true), ("video[0", false), ("*[", false),
      ("x|video0", true), ("x|y*", false), ("x|v*", true), ("", false), ("|video0", true),
      ("|x", false),
      ("?*", true), ("*", true), ("VIDEO0", false), (#"video\\0"#, false), ("video[9-1]", false),
      ("**0", true), ("*v*i*d*e*o*0*", true), ("*x*", false),
    ])
  func `a value matches as fnmatch says`(pattern: String, matches: Bool) {
    #expect(Sample.holds("KERNEL==\"\(pattern)\"") == matches)
    #expect(Sample.holds("KERNEL!=\"\(pattern)\"") == !matches)
  }

  @Test(
    arguments: [
      ("X", true), ("X ", false), ("X  ", true), ("nosuch|X", true), ("X |nosuch", false),
      ("X  |nosuch", true), ("nosuch|X ", false), ("nosuch|X  ", false), ("|X", true),
      ("|X  ", true), ("nosuch |X", false), ("nosuch |X  ", true), ("|", false),
    ])
  func `the first alternative says whether blanks at the end count`(value: String, holds: Bool) {
    var device = Sample.camera
    device.attributes["name"] = .present(UdevRuleText(Array("X  ".utf8)))
    let event = UdevRuleEvent(action: "add", device: device, parents: [])
    #expect(Sample.holds("ATTR{name}==\"\(value)\"", event: event) == holds)
  }

  @Test func `a pattern with many stars takes no longer than its length times the text's`() {
    let stars = String(repeating: "*a", count: 200) + "b"
    var device = Sample.camera
    device.attributes["name"] = .present(UdevRuleText([UInt8](repeating: 97, count: 400)))
    let event = UdevRuleEvent(action: "add", device: device, parents: [])
    #expect(Sample.holds("ATTR{name}==\"\(stars)\"", event: event) == false)
  }

  @Test func `case is ignored on request since version 257`() {
    var environment = Sample.environment
    environment.version = 257
    #expect(Sample.holds(#"KERNEL==i"VIDEO0""#, environment: environment) == true)
    #expect(Sample.holds(#"KERNEL==i"VID*""#, environment: environment) == true)
    #expect(Sample.holds(#"KERNEL==ie"VID\x45O0""#, environment: environment) == true)
    #expect(Sample.holds(#"KERNEL!=i"VID*|x""#, environment: environment) == false)
    #expect(Sample.holds(#"KERNEL=="VIDEO0""#, environment: environment) == false)
  }
}
