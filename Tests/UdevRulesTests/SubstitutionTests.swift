import Testing
import UdevRules

@Suite struct SubstitutionTests {
  @Test(
    arguments: [
      ("$kernel %k", "video0 video0"), ("$number%n", "00"), ("%p", "\(Sample.camera.path)"),
      ("$major:%m", "81:0"), ("$devnode %N", "/dev/video0 /dev/video0"), ("$root%S", "/dev/sys"),
      ("$attr{name}|%s{name}", "A Camera|A Camera"), ("$sysfs{index}", "0"), ("[$attr{x}]", "[]"),
      ("$attr{[dmi/id]board}", "X1"), ("$attr{[dmi/none]board}", ""), ("$env{MAJOR}", "81"),
      ("$name %D", "video0 video0"), ("$links|%L", "|"), ("100%% $$5", "100% $5"),
      ("$nosuch %q", "$nosuch %q"), ("a$env{", "a"), ("a$attr b", "a"), ("%c{1}|", "|"),
      ("$id|$driver|", "||"), ("$parent", ""),
    ])
  func `a substitution is replaced`(value: String, result: String) {
    #expect(Sample.expanded(value) == result)
  }

  @Test func `the parent that the last line found is meant`() {
    let before = #"ATTRS{idVendor}=="046d", ENV{X}="1""#
    #expect(Sample.expanded("$id $driver $attr{idProduct}", before: before) == "1-2 usb 0825")
    // A line that finds no parent resets the one found before.
    let failing = before + "\n" + #"KERNELS=="nosuch", ENV{Y}="1""#
    #expect(Sample.expanded("[$id]", before: failing) == "[]")
  }

  @Test(
    arguments: [
      ("%c", "one two  three"), ("%c{1}", "one"), ("%c{2+}", "two  three"), ("$result{3}", "three"),
      ("%c{4}", ""), ("%c{0}", "one two  three"), ("a%c{x}b", "a"),
    ])
  func `the result of a program has parts`(value: String, result: String) {
    #expect(Sample.expanded(value, before: #"PROGRAM="tell", ENV{X}="1""#) == result)
  }

  @Test func `one link has an order, and several have none`() {
    #expect(Sample.report(#"SYMLINK+="a""#, #"ENV{L}="$links""#).recorded["L"] == "a")
    let report = Sample.report(#"SYMLINK+="a b""#, #"ENV{L}="$links""#)
    #expect(report.propertyDoubts == ["L": .order])
  }

  @Test func `a text that is too long is not used`() {
    let long = String(repeating: "x", count: 505)
    #expect(Sample.expanded("\(long)$kernel") == long + "video0")
    #expect(Sample.expanded("\(long)x$kernel") == nil)
  }
}
