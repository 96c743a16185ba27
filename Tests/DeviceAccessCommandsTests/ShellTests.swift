import AccessModel
import Glibc
import Testing

@testable import DeviceAccessCommands

/// Words of printed commands, as shells parse them.
@Suite struct `A word of a printed command` {
  /// Hostile names, and random names of special characters.
  private static let names: [String] = {
    var names = [
      "\u{1}';touch ran;#", "\u{1}\\';touch ran;'", "\n'$(touch ran)'", "\u{1}\\", "'", "\\", "é",
      "it's é", "é'é", "\u{1}é\\'", "$'é'", "-é", "é=1", "a b\u{E9}c", "\u{202E}é1", "!é", "`é`",
      "a'\u{301};touch ran;'\u{301}", "\u{301}'",
    ]
    let pieces: [String] =
      [
        "'", "\\", "\n", "\t", "\u{1}", ";", "$", "$'", "`", "é", "相", "7", " ", "\u{202E}", "#",
        "(", "\"",
      ]
      + ["touch ran", "a", "&", "|", "\u{A0}", "e\u{301}", "\u{301}", "n"] + [
        ByteText(bytes: [0xFF]).text
      ]
    var state: UInt64 = 42
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    for _ in 0..<500 {
      names.append((0...next(9)).map { _ in pieces[next(pieces.count)] }.joined())
    }
    return names
  }()

  private static let styles = [
    Style(color: false, unicode: true), Style(color: false, unicode: false),
  ]

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test(arguments: styles, ["C", "C.UTF-8"])
  func `is the same bytes in bash`(style: Style, locale: String) throws {
    let commands = Self.names.map { style.command("printf '%s\\0' \($0.shellQuoted)") }
    #expect(style.unicode || commands.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } })
    let script = try TemporaryFile(commands.joined(separator: "\n") + "\n")
    let result = try Product.run(
      """
      cd "$(mktemp -d)"
      LC_ALL=\(locale) /bin/bash \(script.path) | od -An -v -tx1 | tr -d ' \\n'
      ls; rmdir "$PWD"
      """)
    let expected = Self.names.map { Self.hex(ByteText($0).bytes) + "00" }
    #expect(result.status == 0 && result.errors == "")
    #expect(result.output == expected.joined())
  }

  @Test(arguments: styles, ["/bin/dash", "/bin/bash"])
  func `is one word in every shell, and runs nothing`(style: Style, shell: String) throws {
    guard unsafe access(shell, X_OK) == 0 else { return }
    let lines = Self.names.map { style.command("set -- \($0.shellQuoted)") + "\necho $#" }
    let script = try TemporaryFile(lines.joined(separator: "\n") + "\n")
    let result = try Product.run(
      "cd \"$(mktemp -d)\"; \(shell) \(script.path) | uniq -c | tr -s ' '; ls; rmdir \"$PWD\"")
    #expect(result.status == 0 && result.errors == "")
    #expect(result.output == " \(Self.names.count) 1\n")
  }

  @Test(arguments: [
    ("chmod g+r 'Ü'", "chmod g+r ''$'\\303\\234'''"), ("a Ü", "a $'\\303\\234'"),
    ("a $'\\001Ü\\134'", "a $'\\001\\303\\234\\134'"), (#"a 'it'\''s'"#, #"a 'it'\''s'"#),
    ("a 'Ü", "# not shown as a command: a '\\u{dc}"),
    ("a \"Ü\"", "# not shown as a command: a \"\\u{dc}\""),
  ])
  func `is written in ASCII where nothing else can be shown`(command: String, shown: String) {
    #expect(Style(color: false, unicode: false).command(command) == shown)
  }

  @Test func `is not cut`() {
    let path = String(repeating: "é", count: 2047)
    let command = "setfacl -m u:1:r \(path.shellQuoted)"
    #expect(Style.plain.command(command) == command)
    let shown = Style(color: false, unicode: false).command(command)
    #expect(shown.hasSuffix("\\303\\251'''") && shown.utf8.count > 2047 * 8)
    let endless = String(repeating: "a", count: 200_000)
    #expect(Style.plain.command(endless).hasPrefix("# not shown as a command: aaa"))
  }
}
