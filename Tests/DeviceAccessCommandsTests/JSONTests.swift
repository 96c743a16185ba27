import Testing

@testable import DeviceAccessCommands

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
    #expect(text.unicodeScalars.allSatisfy { !Escaped.isUnprintable($0) || $0 == "\n" })
    #expect(layout == .indented || !text.contains("\n"))
  }

  @Test func `keeps the order of members`() throws {
    #expect(
      try JSONWriter.encode(Sample()).hasPrefix(
        #"{"text":"a\"\\\n\u001b\u009b\u202eü"#))
    let text = try JSONWriter.encode(ErrorOutput(command: .check, error: "no", exitStatus: 3))
    #expect(
      text == #"{"schema":"devaccess/1","command":"check","error":"no","exit_status":3}"#)
  }

  @Test(arguments: [
    ("", "empty"), ("  ", "empty"), ("{", "too early"), ("[1,", "too early"), ("nul", "early"),
    ("[1 2]", "comma"), ("{\"a\" 1}", "colon"), ("{a:1}", "key"), ("[1],", "unexpected text"),
    ("{\"a\":1,\"a\":2}", "twice"), ("01", "zero"), ("-", "digits"), ("1.", "fraction"),
    ("1e", "exponent"), ("1e999", "range"), ("\"\u{1}\"", "control"), ("\"\\x\"", "escape"),
    ("\"\\ud800\"", "surrogate"), ("\"\\ud800\\u0041\"", "surrogate"), ("\"\\u12g4\"", "hex"),
    ("'a'", "unexpected character"), (String(repeating: "9", count: 65), "too long"),
    (String(repeating: "[", count: 100_000), "deeply"), ("tru\u{0}", "unexpected character"),
  ])
  func `that is wrong is refused with a reason`(text: String, reason: String) {
    do {
      let value = try JSONValue.parse(Array(text.utf8))
      Issue.record("parsed as \(value)")
    } catch {
      #expect(error.description.contains(reason), "\(error)")
    }
  }

  @Test func `that is not UTF-8 is refused`() {
    #expect(throws: JSONSyntaxError.self) {
      try JSONValue.parse([0x22, 0xFF, 0x22])
    }
  }

  @Test(arguments: [
    ("\"\\ud83d\\ude00\"", JSONValue.string("\u{1F600}")), ("-0", .integer(0)),
    ("18446744073709551615", .unsigned(.max)), ("1e2", .double(100)), ("[ ]", .array([])),
    (" { } ", .object([:])), ("\"\\/\\b\\f\"", .string("/\u{8}\u{C}")),
  ])
  func `is parsed`(text: String, value: JSONValue) throws {
    #expect(try JSONValue.parse(Array(text.utf8)) == value)
  }

  @Test(arguments: [
    ("{\"text\":1}", "text: expected a string, found a number"),
    ("{\"text\":\"\",\"number\":-1}", "number: expected an integer from 0 to 4294967295"),
    ("{\"text\":\"\",\"number\":4294967296}", "number: expected an integer"),
    ("{}", "text: it is missing"), ("[]", "expected an object, found a list"),
  ])
  func `of the wrong shape is refused with its place`(text: String, reason: String) {
    do {
      _ = try JSONReader.decode(Sample.self, from: Array(text.utf8))
      Issue.record("decoded")
    } catch {
      #expect(SnapshotFile.problem(error).contains(reason), "\(SnapshotFile.problem(error))")
    }
  }
}
