import TerminalScreen
import Testing

@Suite struct `The keys of a terminal` {
  private static let cases: [(String, [Key])] = [
    ("a/é漢😀", ["a", "/", "é", "漢", "😀"].map { .character($0) }),
    ("\u{1B}[A\u{1B}OB\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
    (
      "\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~",
      [.home, .end, .home, .end, .home, .end]
    ),
    ("\u{1B}[5~\u{1B}[6~\u{1B}[5;2~", [.pageUp, .pageDown, .pageUp]),
    ("\r\n\u{7F}\u{8}\u{C}", [.enter, .enter, .backspace, .backspace, .character("\u{C}")]),
    ("\u{1B}x\u{1B}[99z\u{1B}[200~q", [.character("q")]),
    ("\u{1B}\u{1B}[A", [.escape, .up]),
  ]

  @Test(arguments: cases)
  func `are decoded, at once and byte by byte`(_ text: String, _ keys: [Key]) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(Array(text.utf8)) == keys)
    #expect(!decoder.isWaiting)
    #expect(text.utf8.flatMap { decoder.decode([$0]) } == keys)
    #expect(!decoder.isWaiting)
  }

  @Test func `escape is a key when nothing follows it`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.pause() == [.escape])
    #expect(decoder.decode([0x1B, UInt8(ascii: "[")]) == [])
    #expect(decoder.pause() == [])
    #expect(decoder.decode([UInt8(ascii: "A")]) == [.character("A")])
  }

  private static let odd: KeySequences = {
    var keys = KeySequences()
    // Control-K, as on old terminals; a sequence that another one starts with; a sequence that ends
    // in an unusual way.
    for (bytes, key) in [
      ("\u{0B}", Key.up), ("\u{1B}<", .home), ("\u{1B}<u", .pageUp), ("\u{1B}OA", .left),
      ("\u{01}@\r", .end),
      // Characters that can be typed keep their meaning.
      ("a", .down), ("\r", .down), ("\u{1B}", .down), ("\u{7F}", .down), ("\u{0B}", .down),
      ("", .down),
    ] { keys.add(Array(bytes.utf8), key) }
    return keys
  }()

  private static let oddCases: [(String, [Key])] = [
    ("\u{0B}a\r\u{7F}", [.up, .character("a"), .enter, .backspace]),
    ("\u{1B}<u\u{1B}<x", [.pageUp, .home, .character("x")]),
    // Sequences that the description does not contain, or contains for another key.
    ("\u{1B}OB\u{1B}OA\u{1B}[6~\u{1B}[A", [.down, .left, .pageDown, .up]),
    ("\u{01}@\rq", [.end, .character("q")]), ("\u{1B}\u{1B}<u", [.escape, .pageUp]),
  ]

  @Test(arguments: oddCases)
  func `are those of the terminal's description first`(_ text: String, _ keys: [Key]) {
    var decoder = KeyDecoder(Self.odd)
    #expect(decoder.decode(Array(text.utf8)) == keys)
    #expect(!decoder.isWaiting)
    #expect(text.utf8.flatMap { decoder.decode([$0]) } == keys)
    #expect(!decoder.isWaiting)
  }

  @Test func `that others begin with are told by a pause`() {
    var decoder = KeyDecoder(Self.odd)
    #expect(decoder.decode(Array("\u{1B}<".utf8)) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.pause() == [.home])
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.pause() == [.escape])
    #expect(decoder.decode([0x01]) == [] && decoder.pause() == [])
  }

  @Test func `nonsense is no key, and is not kept`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0xFF, 0x80, 0xC0, 0x80, 0xE2, 0x28, 0xF8]) == [.character("(")])
    // A sequence that does not end.
    let endless = [0x1B, UInt8(ascii: "[")] + [UInt8](repeating: UInt8(ascii: "1"), count: 30)
    #expect(decoder.decode(endless) == [])
    #expect(!decoder.isWaiting)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let bytes = (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = decoder.decode(bytes)
      _ = decoder.pause()
      #expect(decoder.decode([UInt8(ascii: "q")]) == [.character("q")])
    }
  }
}
