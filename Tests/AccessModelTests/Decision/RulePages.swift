import FoundationEssentials
import Testing

/// The articles about the kernel's rules, read from the source tree.
enum RulePages {
  /// A section of an article, with its list of terms.
  struct Section {
    var page: String
    var title: String
    var terms: [String: String] = [:]
  }

  static let pages = ["KernelRules", "PathRules", "ObjectRules", "ModeRules", "CreationRules"]

  /// Returns the third-level sections of every page, with the functions and tests of each, which a
  /// fixture lists.
  static func sections() throws -> [Section] {
    var result = try pages.flatMap { page in
      try sections(of: page, read("Sources/Devices/AccessModel/AccessModel.docc/\(page).md"))
    }
    for code in try sections(of: "", read("Tests/Fixtures/KernelRules.md")) {
      let index = try #require(
        result.firstIndex { $0.title == code.title }, "no page has a section \(code.title)")
      result[index].terms.merge(code.terms) { page, _ in page }
    }
    return result
  }

  private static func sections(of page: String, _ text: String) -> [Section] {
    var result: [Section] = []
    var term: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("### ") {
        result.append(Section(page: page, title: String(line.dropFirst(4))))
        term = nil
      } else if line.hasPrefix("- term "), let colon = line.firstIndex(of: ":"), !result.isEmpty {
        let name = String(line[line.index(line.startIndex, offsetBy: 7)..<colon])
        result[result.count - 1].terms[name] = String(line[line.index(after: colon)...])
        term = name
      } else if line.hasPrefix("  "), let term {
        result[result.count - 1].terms[term]?.append(" " + line.drop { $0 == " " })
      } else {
        term = nil
      }
    }
    return result
  }

  /// Returns the contents of a file, given its path from the repository root.
  static func read(_ path: String) throws -> String {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
      .dropLast(4).joined(separator: "/")
    let data = try #require(
      FileManager.default.contents(atPath: root + "/" + path), "no file \(path)")
    return String(decoding: data, as: UTF8.self)
  }

  /// Returns the words in code voice, without symbol links.
  static func code(in text: String) -> [String] {
    let words = text.split(separator: "`", omittingEmptySubsequences: false)
    var result: [String] = []
    var index = 1
    while index + 1 < words.count {
      if words[index].isEmpty {
        // Two backticks start a symbol link, and two end it.
        index += 4
      } else {
        result.append(String(words[index]))
        index += 2
      }
    }
    return result
  }

  /// Returns the quoted parts of a text.
  static func quoted(in text: String) -> [String] {
    let words = text.split(separator: "\"", omittingEmptySubsequences: false)
    return stride(from: 1, to: words.count, by: 2).map { String(words[$0]) }
  }

  /// Returns the start of an initializer's declaration, such as `init(realOf ` for `init(realOf:)`.
  static func head(of initialiser: String) -> String {
    String(initialiser.prefix { $0 != ":" }) + " "
  }
}
