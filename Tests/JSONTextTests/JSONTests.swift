import JSONText
import Testing

@Suite struct `JSON` {
  struct Sample: Codable, Equatable {
    enum Word: String, Codable { case one, two }
    var text = "a\"\\\n\u{1B}\u{9B}\u{202E}ü\u{1F600}"
    var number: UInt32 = 4_294_967_294
    var negative = -7
    var fraction = 1.5
    var flag = true
    var missing: Int?
    var words: [Word] = [.one, .two]
    var empty: [Int] = []
    var pairs: [String: [Int]] = ["a": [1], "b": []]
  }

  @Test(arguments: [JSONWriter.Layout.compact, .indented])
  func `comes back as it went`(layout: JSONWriter.Layout) throws {
    let text = try JSONWriter.encode(Sample(), layout: layout)
    #expect(try JSONReader.decode(Sample.self, from: Array(text.utf8)) == Sample())
    #expect(text.unicodeScalars.allSatisfy { !$0.isUnprintable || $0 == "\n" })
    #expect(layout == .indented || !text.contains("\n"))
  }

  @Test func `quotes of a long text its beginning`() {
    #expect(JSONQuotes.quoted("a\u{1B}b", limit: 3) == #""a\u001bb""#)
    #expect(JSONQuotes.quoted("a\u{1B}bc", limit: 3) == #""a\u001bb…""#)
    #expect(JSONQuotes.escaped("\"\n", limit: 2) == #"\"\n"#)
    #expect(JSONQuotes.escaped("e\u{301}"[...], limit: 1) == "e…")
    // A mark can form one character with an adjacent quote.
    #expect(JSONQuotes.escaped("\u{301}a") == "\u{301}a")
    #expect(JSONQuotes.escaped("a\u{D4E}") == "a\u{D4E}")
    let long = String(repeating: "x", count: 201)
    #expect(JSONQuotes.escaped(long) == long.dropLast() + "…")
  }

  @Test(arguments: ["1e39", "-1e39", "1" + String(repeating: "0", count: 40)])
  func `has no number that becomes an infinity`(text: String) throws {
    #expect(throws: DecodingError.self) {
      try JSONReader.decode(Float.self, from: Array(text.utf8))
    }
    #expect(try JSONReader.decode(Double.self, from: Array(text.utf8)).isFinite)
  }

  @Test func `keeps the order of members`() throws {
    #expect(
      try JSONWriter.encode(Sample()).hasPrefix(
        #"{"text":"a\"\\\n\u001b\u009b\u202eü"#))
  }

  @Test(arguments: [
    ("", "empty"), ("  ", "empty"), ("{", "too early"), ("[1,", "too early"), ("nul", "early"),
    ("[1 2]", "comma"), ("{\"a\" 1}", "colon"), ("{a:1}", "key"), ("[1],", "unexpected text"),
    ("{\"a\":1,\"a\":2}", "twice"), ("01", "zero"), ("-", "digits"), ("1.", "fraction"),
    ("[00]", "zero"), ("-01", "zero"), ("[1,]", "unexpected character"), ("{\"a\":1,}", "key"),
    ("1e", "exponent"), ("1e999", "range"), ("\"\u{1}\"", "control"), ("\"\\x\"", "escape"),
    ("\"\\ud800\"", "surrogate"), ("\"\\ud800\\u0041\"", "surrogate"), ("\"\\u12g4\"", "hex"),
    ("'a'", "unexpected character"), (String(repeating: "9", count: 65), "too long"),
    (String(repeating: "[", count: 100_000), "deeply"), ("tru\u{0}", "unexpected character"),
  ])
  func `that is wrong is refused with a reason`(text: String, reason: String) {
    do {
      let tape = try JSONParser.parse(Array(text.utf8))
      Issue.record("parsed as \(tape.tokens)")
    } catch {
      #expect(error.description.contains(reason), "\(error)")
    }
  }

  @Test func `that is not UTF-8 is refused`() {
    #expect(throws: JSONSyntaxError.self) {
      try JSONParser.parse([0x22, 0xFF, 0x22])
    }
  }

  private func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    try JSONReader.decode(type, from: Array(text.utf8))
  }

  @Test func `is read as what it means`() throws {
    #expect(try decode(String.self, "\"\\ud83d\\ude00\"") == "\u{1F600}")
    #expect(try decode(String.self, "\"\\/\\b\\f\"") == "/\u{8}\u{C}")
    #expect(try decode(Int.self, "-0") == 0)
    #expect(try decode(UInt64.self, "18446744073709551615") == .max)
    #expect(try decode(Int64.self, "-9223372036854775808") == .min)
    #expect(try decode(UInt128.self, "\(UInt128.max)") == .max)
    #expect(try decode(Int128.self, "\(Int128.min)") == .min)
    #expect(try decode(Double.self, "1e2") == 100)
    #expect(try decode(Float.self, "0.1") == 0.1)
    #expect(try decode([Int].self, "[ ]") == [])
    #expect(try decode([String: Int].self, " { } ") == [:])
    #expect(
      try decode([[String: [Int]]].self, " [ {\"a\" : [1 , 2]} , {} ] ") == [["a": [1, 2]], [:]])
    #expect(try decode([Int?].self, "[1,null]") == [1, nil])
  }

  @Test(arguments: ["18446744073709551616", "-1", "1.0", "1e2", "\"1\"", "true"])
  func `that is no number of the type is refused`(text: String) {
    #expect(throws: DecodingError.self) { try decode(UInt64.self, text) }
  }

  @Test(arguments: [
    ("{\"text\":1}", "text: expected a string, found a number"),
    ("{\"text\":\"\",\"number\":-1}", "number: expected an integer from 0 to 4294967295"),
    ("{\"text\":\"\",\"number\":4294967296}", "number: expected an integer"),
    ("{}", "text: it is missing"), ("[]", "expected an object, found a list"),
    (
      #"{"text":"","number":1,"negative":0,"fraction":0,"flag":true,"words":["one","three"]}"#,
      "words[1]: unknown word three"
    ),
  ])
  func `of the wrong shape is refused with its place`(text: String, reason: String) {
    do {
      _ = try JSONReader.decode(Sample.self, from: Array(text.utf8))
      Issue.record("decoded")
    } catch {
      let problem = JSONProblem(error).description
      #expect(problem.contains(reason), "\(problem)")
    }
  }
}
