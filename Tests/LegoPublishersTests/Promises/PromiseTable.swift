import FoundationEssentials
import Testing

/// The table of the tests that show the promises, which `Promises.md` documents.
enum PromiseTable {
  struct Row {
    var subjects: [String]
    /// The tests that each cell names.
    var cells: [[String]]
  }

  static func rows() throws -> [Row] {
    try read("Tests/Fixtures/PublisherPromises.md")
      .split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { line in
        let cells = line.split(separator: "|").map { code(in: String($0)) }
        return Row(subjects: cells.first ?? [], cells: Array(cells.dropFirst()))
      }
  }

  /// The names of all tests of this target.
  static func tests() throws -> Set<String> {
    let folder = root + "/Tests/LegoPublishersTests"
    var names: Set<String> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder)
    where path.hasSuffix(".swift") {
      let text = try read("Tests/LegoPublishersTests/" + path)
      for line in text.split(separator: "\n") {
        let words = line.split(separator: "`", omittingEmptySubsequences: false)
        if words.count > 2, words[0].hasSuffix("func ") { names.insert(String(words[1])) }
      }
    }
    return names
  }

  static func read(_ path: String) throws -> String {
    let data = try #require(
      FileManager.default.contents(atPath: root + "/" + path), "no file \(path)")
    return String(decoding: data, as: UTF8.self)
  }

  private static var root: String {
    #filePath.split(separator: "/", omittingEmptySubsequences: false)
      .dropLast(4).joined(separator: "/")
  }

  private static func code(in text: String) -> [String] {
    let words = text.split(separator: "`", omittingEmptySubsequences: false)
    return stride(from: 1, to: words.count, by: 2).map { String(words[$0]) }
  }
}
