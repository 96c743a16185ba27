import Testing

@testable import DeviceWatching

@Suite struct `A filter of names` {
  private func mayHold(_ filter: NameFilter, _ name: String) -> Bool {
    filter.mayHold(name.utf8Span.span)
  }

  @Test func `holds names and beginnings, as often as they were inserted`() {
    var filter = NameFilter()
    #expect(!mayHold(filter, "name"))
    for _ in 0..<2 {
      filter.insert("name")
      filter.insert(prefix: "video")
    }
    for _ in 0..<2 {
      #expect(mayHold(filter, "name") && mayHold(filter, "video0") && mayHold(filter, "video"))
      #expect(!mayHold(filter, "nam") && !mayHold(filter, "names") && !mayHold(filter, "vide"))
      filter.remove("name")
      filter.remove(prefix: "video")
    }
    #expect(!mayHold(filter, "name") && !mayHold(filter, "video0"))
  }

  /// Strings that look the same are equal and stored once.
  @Test func `leaves names to text once one can be written in two ways`() {
    var filter = NameFilter()
    filter.insert("\u{E9}t\u{E9}")
    #expect(mayHold(filter, "\u{E9}t\u{E9}") && mayHold(filter, "e\u{301}te\u{301}"))
    #expect(mayHold(filter, "another"))
  }

  @Test func `lets everything through that matters to somebody`() {
    var path = WatchedPath()
    path[1] = .some(["a", "b"])
    path[2] = .some(["b"])
    path[3] = .beginning(with: ["video"])
    func matters(_ name: String) -> Bool { path.mayMatter(name.utf8Span.span) }
    #expect(matters("a") && matters("b") && matters("video1") && !matters("c"))
    path[1] = nil
    #expect(!matters("a") && matters("b"))
    path[3] = .beginning(with: ["media", "video"])
    path[3] = .beginning(with: ["media"])
    #expect(matters("media1") && !matters("video1"))
    path[2] = .all
    #expect(matters("c"))
    path[2] = .some(["b"])
    #expect(!matters("c") && matters("b"))
  }
}
