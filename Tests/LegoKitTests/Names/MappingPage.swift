import FoundationEssentials
import Testing

/// A page of the documentation that maps the names of a manual, and the tests of its rows.
struct MappingPage: CustomTestStringConvertible, Sendable {
  struct Row {
    /// The first cell: the manual's names.
    var names: String
    /// The words in code in the second cell: what stands for them here.
    var words: Set<String>
  }

  /// A test that says which row it shows, in the comment above it.
  struct RowTest {
    var file: String
    var names: String
    /// What follows the comments.
    var attribute: String
    /// The code of the test and of the beginning of its file.
    var text: String
  }

  let name: String
  var testDescription: String { name }

  static let all = [
    "FromLegoKit", "FromLBPresenter", "FromRoutingReducer", "FromGranite", "FromSimpleArch",
  ].map(MappingPage.init(name:))

  static let catalogue = "Sources/Lego/LegoKit/LegoKit.docc"

  func rows() throws -> [Row] {
    var rows: [Row] = []
    var isInTable = false
    for line in try Self.read("\(Self.catalogue)/\(name).md").split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("|---") {
        isInTable = true
      } else if !line.hasPrefix("|") {
        isInTable = false
      } else if isInTable {
        let cells = line.split(separator: "|").map { $0.trimmed }
        try #require(cells.count == 2, "\(line)")
        rows.append(Row(names: cells[0], words: Self.words(in: cells[1])))
      }
    }
    return rows
  }

  /// The tests of the rows, from all test targets: each is marked `// Row of PAGE: NAMES`.
  func tests() throws -> [RowTest] {
    let mark = "// Row of "
    var tests: [RowTest] = []
    for path in try Self.paths(in: "Tests") where path.hasSuffix(".swift") {
      let text = try Self.read(path)
      guard text.contains(mark + name + ": ") else { continue }
      let parts = text.split(separator: mark)
      for part in parts.dropFirst() {
        let lines = part.split(separator: "\n")
        guard let first = lines.first, first.hasPrefix(name + ": ") else { continue }
        tests.append(
          RowTest(
            file: path, names: first.dropFirst(name.count + 2).trimmed,
            attribute: lines.dropFirst().first { !$0.trimmed.hasPrefix("///") }?.trimmed ?? "",
            text: (parts[0].split(separator: "\n") + lines.dropFirst())
              .map { $0.code }.joined(separator: "\n")))
      }
    }
    return tests
  }

  static func read(_ path: String) throws -> String {
    let data = try #require(
      FileManager.default.contents(atPath: root + "/" + path), "no file \(path)")
    return String(decoding: data, as: UTF8.self)
  }

  /// The files in the folders of a folder, which may be a link itself.
  private static func paths(in folder: String) throws -> [String] {
    let files = FileManager.default
    return try files.contentsOfDirectory(atPath: root + "/" + folder).flatMap { name in
      let folder = folder + "/" + name
      return (try? files.subpathsOfDirectory(atPath: root + "/" + folder))?
        .map { folder + "/" + $0 } ?? []
    }
  }

  private static var root: String {
    #filePath.split(separator: "/", omittingEmptySubsequences: false)
      .dropLast(4).joined(separator: "/")
  }

  /// The words of the code in a text, without what tells overloads apart in a link.
  private static func words(in text: String) -> Set<String> {
    var words: Set<String> = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "`") {
      let marks = rest[start...].prefix { $0 == "`" }
      rest = rest[marks.endIndex...]
      guard let end = rest.firstRange(of: marks) else { break }
      let code = rest[..<end.lowerBound]
      let name = marks.count == 2 ? code.split(separator: ")-").first ?? code : code
      for word in name.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") })
      where word.count > 1 && word.first?.isNumber == false {
        words.insert(String(word))
      }
      rest = rest[end.upperBound...]
    }
    return words
  }
}

extension Substring {
  /// A line without its comment.
  fileprivate var code: Substring {
    trimmed.hasPrefix("//") ? "" : firstRange(of: "  // ").map { self[..<$0.lowerBound] } ?? self
  }

  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
