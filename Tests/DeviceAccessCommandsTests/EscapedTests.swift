import Testing

@testable import DeviceAccessCommands

@Suite struct `Escaped text` {
  @Test(arguments: [
    ("plain name", "plain name"),
    ("Kamera für Ärzte 相机", "Kamera für Ärzte 相机"),
    ("a\u{1B}[31mb", "a\\x1b[31mb"),
    ("line\nbreak\r\ttab", "line\\nbreak\\r\\ttab"),
    ("bell\u{7}del\u{7F}", "bell\\x07del\\x7f"),
    ("nul\u{0}", "nul\\x00"),
    ("one-byte CSI \u{9B}31m", "one-byte CSI \\u{9b}31m"),
    (
      "bidi \u{202E}gpj.exe\u{2066}\u{2069}\u{200F}",
      "bidi \\u{202e}gpj.exe\\u{2066}\\u{2069}\\u{200f}"
    ),
    ("zero\u{200B}width\u{FEFF}", "zero\\u{200b}width\\u{feff}"),
    ("lines\u{2028}\u{2029}", "lines\\u{2028}\\u{2029}"),
    ("tag \u{E0041}", "tag \\u{e0041}"),
    ("no UTF-8 \u{10FFFF}\u{10FF80}1", "no UTF-8 \\xff\\x801"),
    ("private \u{E000}", "private \\u{e000}"),
    (String(decoding: [0x61, 0xFF, 0x62] as [UInt8], as: UTF8.self), "a\u{FFFD}b"),
  ])
  func `shows what could fool a terminal as an escape`(text: String, expected: String) {
    #expect(Escaped(text).description == expected)
  }

  @Test func `is ASCII where only ASCII can be shown`() {
    let text = Escaped("Kamera für — 相…", unicode: false).description
    #expect(text == "Kamera f\\u{fc}r -- \\u{76f8}...")
    #expect(text.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
  }

  /// The second byte of ě in UTF-8 is 0x9B, which starts a terminal sequence in ISO 8859.
  @Test(arguments: [
    ["check", "./nopeě31mX"], ["check", "ě31mX"], ["check", "/dev/null", "--ě31mX"],
    ["check", "/dev/null", "--user=ě31mX"], ["users", "./nopeě31mX"], ["ě31mX"],
    ["explain", "--from=ě31mX"],
  ])
  func `is ASCII on standard error where only ASCII can be shown`(arguments: [String]) async {
    for (locale, name) in [("en_US.ISO-8859-1", "\\u{11b}31mX"), ("C.UTF-8", "ě31mX")] {
      let result = await CommandResult.run(arguments, environment: ["LC_ALL": locale])
      #expect(result.hasOneErrorLine && result.errors.contains(name), "\(result.errors)")
    }
  }

  @Test(arguments: [0, 1, 5, 80])
  func `is bounded`(limit: Int) {
    let text = Escaped(String(repeating: "x\u{1B}", count: 1000), limit: limit).description
    #expect(text.unicodeScalars.count <= limit + 1)
    #expect(text.hasSuffix("…"))
  }

  @Test func `bounds combining marks too`() {
    let text = "e" + String(repeating: "\u{301}", count: 100_000)
    #expect(Escaped(text, limit: 100).description.unicodeScalars.count == 101)
  }

  @Test func `lets no scalar that a terminal acts on through`() {
    let dangerous = (0...0x10FFFF).lazy.compactMap(Unicode.Scalar.init).filter {
      [.control, .format, .lineSeparator, .paragraphSeparator].contains(
        $0.properties.generalCategory)
    }
    var count = 0
    for scalar in dangerous {
      count += 1
      let text = Escaped(String(Character(scalar))).description
      #expect(text.hasPrefix("\\") && text.utf8.count > 1, "U+\(String(scalar.value, radix: 16))")
    }
    #expect(count > 200)
  }
}
