import FoundationEssentials
import Testing

@Suite struct `A page that maps the names of a manual` {
  @Test(arguments: MappingPage.all)
  func `has a test for each row, and each such test has its row`(page: MappingPage) throws {
    let rows = try page.rows().map(\.names)
    #expect(rows.count > 10)
    #expect(Set(rows).count == rows.count)
    let tests = try page.tests()
    #expect(Set(rows).subtracting(tests.map(\.names)) == [], "rows without a test")
    #expect(Set(tests.map(\.names)).subtracting(rows) == [], "tests without a row")
    for test in tests {
      #expect(test.attribute.hasPrefix("@Test"), "\(test.file): \(test.names)")
    }
  }

  @Test(arguments: MappingPage.all)
  func `names in each row only what its test uses`(page: MappingPage) throws {
    let tests = try page.tests()
    for row in try page.rows() {
      let used = Set(
        tests.filter { $0.names == row.names }.flatMap { test in
          test.text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        })
      #expect(row.words.subtracting(used) == [], "\(row.names)")
    }
  }

  @Test func `is one of those in the chapter, which links to all of them`() throws {
    let chapter = try MappingPage.read("\(MappingPage.catalogue)/ComingFromAnotherFramework.md")
    let topics = try #require(chapter.split(separator: "## Topics").last)
    for page in MappingPage.all { #expect(topics.contains("<doc:\(page.name)>")) }
    #expect(topics.split(separator: "<doc:From").count - 1 == MappingPage.all.count + 1)
  }
}
