import Glibc
import TerminalScreen
import Testing

@testable import DeviceAccessCommands

@Suite struct `A line of a screen` {
  @Test func `has the width that the C library gives it`() throws {
    guard let locale = unsafe newlocale(1 << LC_CTYPE, "C.UTF-8", nil),
      // The header does not declare the function here.
      let symbol = unsafe dlsym(nil, "wcwidth")
    else { throw TestFailure(description: "no C.UTF-8, or no wcwidth(3)") }
    let wcwidth = unsafe unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> Int32).self)
    let before = unsafe uselocale(locale)
    defer {
      unsafe uselocale(before)
      unsafe freelocale(locale)
    }
    var (count, others) = (0, 0)
    for value in UInt32(0x20)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      // Characters that would be escaped are not shown, and an older library does not know newer
      // characters.
      let width = wcwidth(wchar_t(truncatingIfNeeded: value))
      guard width >= 0, Escaped(String(scalar)).description == String(scalar) else { continue }
      count += 1
      if TextWidth.of(scalar) != Int(width) { others += 1 }
    }
    // A few marks differ between versions of Unicode.
    #expect(others < 16)
    #expect(count > 100_000)
  }

  @Test func `is cut at both ends, also in the midst of a wide character`() {
    let line = ScreenLine([ScreenSpan("a漢e\u{301}", .good), ScreenSpan("字z")])
    #expect(line.width == 7)
    let windows = (0..<7).map { line.window(from: $0, columns: 3).text }
    #expect(
      windows == ["a漢", "漢e\u{301}", " e\u{301} ", "e\u{301}字", "字z", " z", "z"])
    for start in 0..<9 {
      for columns in 0..<9 { #expect(line.window(from: start, columns: columns).width <= columns) }
    }
  }

  @Test func `in reverse fills the width`() {
    let line = ScreenLine("ab", isReversed: true).window(columns: 5)
    #expect(line.text == "ab   ")
    #expect(Screen([line], size: ScreenSize(columns: 5, rows: 1)).text == "ab\n")
  }

  @Test func `has the tones that were painted`() {
    let style = Style(color: true, unicode: true)
    let line = ScreenLine(painted: "a" + style.paint("b", .bad) + style.paint("c", .good) + "d")
    #expect(
      line.spans == [
        ScreenSpan("a"), ScreenSpan("b", .bad), ScreenSpan("c", .good), ScreenSpan("d"),
      ])
  }

  @Test(arguments: [
    ("video2", "video10", true), ("video10", "video2", false), ("a", "b", true),
    ("a1b2", "a1b10", true),
    ("x007", "x8", true), ("", "a", true),
    ("99999999999999999999998", "99999999999999999999999", true),
  ])
  func `is sorted as people count`(_ left: String, _ right: String, _ isBefore: Bool) {
    #expect(NaturalOrder.isBefore(left, right) == isBefore)
    #expect(NaturalOrder.isBefore(right, left) == !isBefore)
    #expect(NaturalOrder.isBefore(left, left) == nil)
  }
}
