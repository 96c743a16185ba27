import AccessModel
import FoundationEssentials
import Testing

/// Compares the articles about the kernel's rules with the code that they describe.
@Suite struct `Pages of the kernel's rules` {
  @Test func `every rule has one section`() throws {
    let titles = try RulePages.sections().map(\.title)
    for rule in Rule.allCases {
      #expect(titles.count { $0 == rule.rawValue } == 1, "\(rule.rawValue)")
    }
  }

  @Test func `a section links to the case of its rule`() throws {
    for section in try RulePages.sections() {
      guard let rule = Rule(rawValue: section.title) else { continue }
      #expect(section.terms["Case"]?.contains("``Rule/\(rule)``") == true, "\(section.title)")
    }
  }

  @Test func `every word of the case format that is a title is a rule`() throws {
    for section in try RulePages.sections() where section.title.contains(".") {
      #expect(Rule(rawValue: section.title) != nil, "\(section.title)")
    }
  }

  @Test func `a section names kernel, facts, the answer without them, function and tests`() throws {
    for section in try RulePages.sections() where Rule(rawValue: section.title) != nil {
      for term in ["Kernel", "Facts", "A fact is missing", "Case", "Function", "Tests"] {
        #expect(section.terms[term]?.isEmpty == false, "\(section.title): \(term)")
      }
    }
  }

  @Test func `the functions stand in the files that are named`() throws {
    for section in try RulePages.sections() {
      guard let text = section.terms["Function"] else { continue }
      // The names of functions precede the file that contains them.
      var names: [String] = []
      for word in RulePages.code(in: text) {
        guard word.hasPrefix("Sources/") else {
          names.append(word)
          continue
        }
        let source = try RulePages.read(word)
        #expect(!names.isEmpty, "\(section.title): \(word)")
        for name in names {
          let heads =
            name.hasPrefix("init(")
            ? [RulePages.head(of: name)]
            : [
              "func \(name)(", "func \(name)<", "var \(name):",
            ]
          #expect(heads.contains { source.contains($0) }, "\(section.title): \(name) in \(word)")
        }
        names = []
      }
      #expect(names.isEmpty, "\(section.title): \(names) without a file")
    }
  }

  @Test func `the tests stand in the files that are named`() throws {
    for section in try RulePages.sections() {
      guard let text = section.terms["Tests"] else { continue }
      for part in text.split(separator: ";") {
        let file = try #require(RulePages.code(in: String(part)).first, "\(section.title)")
        let source = try RulePages.read(file)
        for name in RulePages.quoted(in: String(part)) {
          #expect(
            source.contains("\"\(name)\"") || source.contains("func `\(name)`"),
            "\(section.title): \(name) in \(file)")
        }
      }
    }
  }

  @Test func `the comment of a case leads to its section`() throws {
    let source = try RulePages.read("Sources/Devices/AccessModel/Decision/Rule.swift")
    for section in try RulePages.sections() where Rule(rawValue: section.title) != nil {
      #expect(source.contains("<doc:\(section.page)#\(section.title)>"), "\(section.title)")
    }
  }

  @Test func `the comment of a deciding function leads to its section`() throws {
    for section in try RulePages.sections() where Rule(rawValue: section.title) != nil {
      let files = RulePages.code(in: section.terms["Function"] ?? "")
        .filter { $0.hasPrefix("Sources/") }
      let sources = try files.map(RulePages.read)
      #expect(
        sources.contains {
          $0.contains("/// Rule") && $0.contains("<doc:\(section.page)#\(section.title)>")
        },
        "\(section.title)")
    }
  }
}
