import JSONText
import Testing

@Suite struct `Depth` {
  /// A list that contains a list, and so on.
  final class Nested: Codable, Sendable {
    let inner: Nested?

    init(_ depth: Int) { inner = depth > 0 ? Nested(depth - 1) : nil }

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      inner = container.isAtEnd ? nil : try container.decode(Nested.self)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      if let inner { try container.encode(inner) }
    }

    var depth: Int {
      var depth = 0
      var place = inner
      while let here = place {
        depth += 1
        place = here.inner
      }
      return depth
    }
  }

  private func brackets(_ depth: Int) -> [UInt8] {
    Array(String(repeating: "[", count: depth + 1).utf8)
      + Array(String(repeating: "]", count: depth + 1).utf8)
  }

  @Test(arguments: [0, 1, 64, 400])
  func `within the bound comes back as it went`(depth: Int) throws {
    let options = JSONOptions(depth: depth)
    for layout in [JSONWriter.Layout.compact, .indented] {
      let text = try JSONWriter.encode(Nested(depth), layout: layout, options: options)
      let read = try JSONReader.decode(Nested.self, from: Array(text.utf8), options: options)
      #expect(read.depth == depth)
    }
  }

  @Test(arguments: [0, 1, 64])
  func `beyond the bound is neither read nor written`(depth: Int) throws {
    let options = JSONOptions(depth: depth)
    let error = #expect(throws: JSONSyntaxError.self) {
      try JSONParser.parse(brackets(depth + 1), options: options)
    }
    #expect(error?.problem == "nested too deeply")
    #expect(throws: EncodingError.self) {
      try JSONWriter.encode(Nested(depth + 1), options: options)
    }
    // A value counts as much as an empty list.
    #expect(throws: EncodingError.self) {
      try JSONWriter.encode([Leaf(depth)], options: options)
    }
  }

  /// Lists created without `encode`, which the writer cannot refuse individually.
  struct Leaf: Encodable {
    let depth: Int

    init(_ depth: Int) { self.depth = depth }

    func encode(to encoder: any Encoder) throws {
      var containers = [encoder.unkeyedContainer()]
      for _ in 0..<depth {
        containers.append(containers[containers.count - 1].nestedUnkeyedContainer())
      }
      try containers[containers.count - 1].encode(1)
    }
  }

  @Test func `takes no stack while a text is parsed`() throws {
    let depth = 1_000_000
    let tape = try JSONParser.parse(brackets(depth), options: JSONOptions(depth: depth))
    #expect(tape.tokens.count == depth + 1)
    #expect(tape.next(after: JSONTape.root) == depth + 1)
  }
}
