import Foundation
import ParserFuzzing
import Testing

/// The inputs that the fuzzer found worth keeping, fed to the parsers in every run of the tests.
@Suite struct CorpusTests {
  @Test("every kept input is read without a trap", arguments: FuzzedParser.all.map(\.name))
  func corpus(_ name: String) throws {
    let parser = try #require(FuzzedParser(name))
    let inputs = try Corpus.inputs(for: name)
    #expect(!inputs.isEmpty)
    var understood = 0
    for input in inputs {
      let bytes = try [UInt8](Data(contentsOf: input))
      do {
        if try parser.feed(bytes) { understood += 1 }
        // What is cut off in the middle must not trap either.
        try parser.feed(Array(bytes.prefix(bytes.count / 2)))
      } catch {
        Issue.record("\(input.lastPathComponent): \(error)")
      }
    }
    // A corpus that a parser refuses as a whole would prove nothing.
    #expect(understood > 0)
  }

  @Test("the corpus has a folder for every parser and no other")
  func folders() throws {
    #expect(try Corpus.folders() == FuzzedParser.all.map(\.name).sorted())
  }

  @Test("an unknown parser has no name") func unknown() {
    #expect(FuzzedParser("") == nil)
    #expect(FuzzedParser("mountinf") == nil)
  }
}
