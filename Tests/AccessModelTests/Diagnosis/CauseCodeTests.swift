import AccessModel
import FoundationEssentials
import Testing

struct CauseCodeTests {
  /// Returns the article that documents every cause, which is next to the sources.
  private func article() throws -> String {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
      .dropLast(4).joined(separator: "/")
    let path = root + "/Sources/Devices/AccessModel/AccessModel.docc/Causes.md"
    let data = try #require(FileManager.default.contents(atPath: path), "no article at \(path)")
    return String(decoding: data, as: UTF8.self)
  }

  @Test
  func `every cause has its paragraph in the article`() throws {
    let headings = try article().split(separator: "\n").filter { $0.hasPrefix("### ") }
    for code in CauseCode.allCases {
      #expect(
        headings.contains("### \(code.rawValue): \(code.title)"), "\(code.rawValue)")
    }
    #expect(headings.count == CauseCode.allCases.count)
  }

  @Test(arguments: CauseCode.allCases)
  func `a title is a few words without a full stop`(_ code: CauseCode) {
    #expect(!code.title.isEmpty)
    #expect(code.title.count <= 40)
    #expect(code.title.last != ".")
  }

  @Test(arguments: CauseCode.allCases)
  func `a raw value is a word of capitals`(_ code: CauseCode) {
    #expect(code.rawValue.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == 0x5F })
  }

  @Test
  func `every cause is reached by a row of the tables`() {
    let reached = Set(
      RemedyTests.everything.flatMap { facts -> [CauseCode] in
        let explanation = facts.explain()
        return [explanation.cause].compactMap(\.self?.code) + explanation.furtherCauses.map(\.code)
      })
    let missing = Set(CauseCode.allCases).subtracting(reached)
    #expect(missing.isEmpty, "\(missing.map(\.rawValue).sorted())")
  }
}
