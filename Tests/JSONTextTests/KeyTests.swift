import Glibc
import JSONText
import Testing

@Suite struct `Keys of an object` {
  private func object(_ keys: some Sequence<String>) -> [UInt8] {
    Array("{\(keys.map { "\"\($0)\":1" }.joined(separator: ","))}".utf8)
  }

  @Test(arguments: [
    ["a", "a"], ["a", "\\u0061"], ["\\u0061", "a"], ["\u{E9}", "e\u{301}"],
    ["e\u{301}", "\\u00e9"], ["", ""],
  ])
  func `that a reader could take for the same are refused, however many there are`(keys: [String])
    throws
  {
    for others in [0, 1, 31, 32, 100] {
      let names = (0..<others).map { "key \($0)" }
      let text = object([keys[0]] + names + [keys[1]])
      let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(text) }
      #expect(error?.problem == "a key occurs twice")
      _ = try JSONParser.parse(object(names + [keys[1]]))
    }
  }

  @Test func `may be the same in different objects`() throws {
    let text = #"{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":1}}"#
    #expect(try JSONParser.parse(Array(text.utf8)).tokens.count == 15)
  }

  @Test(arguments: [1, 15, 16, 17, 31, 32, 33, 100])
  func `come in the order in which they were written`(count: Int) throws {
    struct Ordered: Encodable {
      let names: [String]
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: JSONKey.self)
        for (index, name) in names.enumerated() {
          try container.encode(index, forKey: JSONKey(stringValue: name))
        }
        // The last value of a key takes effect, as in a dictionary.
        try container.encode(-1, forKey: JSONKey(stringValue: names[0]))
      }
    }
    let names = (0..<count).reversed().map { "name\($0)" }
    let text = try JSONWriter.encode(Ordered(names: names))
    let tape = try JSONParser.parse(Array(text.utf8))
    #expect(tape.keys(of: JSONTape.root).map { tape.string($0) } == names)
    let values = try JSONReader.decode([String: Int].self, from: Array(text.utf8))
    #expect(values.count == count)
    #expect(values[names[0]] == -1)
    #expect(count == 1 || values[names[count - 1]] == count - 1)
  }

  /// Returns the processor time of this thread, which other processes do not affect.
  private func processorTime() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Compares times of the same run, so slow machines pass.
  ///
  /// Twenty times the keys may take ninety times as long; looking up each key in a list takes four
  /// hundred times as long.
  @Test func `take time in proportion to their number`() throws {
    func duration(_ count: Int) throws -> Duration {
      let keys = (0..<count).map { "key number \($0)" }
      let object = Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) })
      let start = processorTime()
      let text = try JSONWriter.encode(object)
      let read = try JSONReader.decode([String: Int].self, from: Array(text.utf8))
      #expect(read.count == count)
      return processorTime() - start
    }
    var (few, many) = (Duration.seconds(1_000), Duration.seconds(1_000))
    // Other processes disturb the caches of the longer measurement more, so the fastest run counts.
    for _ in 0..<30 {
      (few, many) = (min(few, try duration(1_000)), min(many, try duration(20_000)))
      if many < few * 90 { break }
    }
    #expect(many < few * 90, "\(many) for 20,000 keys, \(few) for 1,000")
  }
}
