import AccessModel
import Testing

@testable import DeviceAccessCommands

/// Compares the promises in `Documentation/STABILITY.md` with the code.
@Suite struct `What stays stable` {
  let page: String

  init() throws {
    page = try Repository.read("Documentation/STABILITY.md")
  }

  @Test func `the page lists every exit status, and no other`() {
    let listed = page.split(separator: "\n").compactMap { line -> Int32? in
      let cells = line.split(separator: "|")
      return cells.count == 2 ? Int32(cells[0].filter { $0 != " " }) : nil
    }
    // The page lists exactly the statuses that a number can represent.
    let known = (Int32(0)...255).filter { ExitStatus(rawValue: $0) != nil }
    #expect(listed == known)
  }

  @Test func `the page names the versions of the documents`() {
    #expect(page.contains("member `schema` is `\(Schema.name)`"))
    #expect(page.contains("`\"format\": \"\(AccessFacts.snapshotFormat)\"`"))
    #expect(page.contains("`\"version\": \(AccessFacts.snapshotVersion)`"))
  }

  @Test func `the page names every library that other packages can use`() throws {
    let package = try Repository.read("Package.swift")
    let names = package.split(separator: "\n").compactMap { line -> Substring? in
      let parts = line.split(separator: "\"")
      return parts.first?.hasSuffix(".library(name: ") == true ? parts[1] : nil
    }
    #expect(names.count > 1)
    let promise = try #require(page.split(separator: "\n## Libraries\n").last)
    for name in names { #expect(promise.contains("`\(name)`"), "\(name)") }
  }

  @Test func `the newest section of the changelog is about this version`() throws {
    let headings = try Repository.read("CHANGELOG.md").split(separator: "\n")
      .filter { $0.hasPrefix("## [") && !$0.hasPrefix("## [Unreleased]") }
    #expect(headings.first?.hasPrefix("## [\(DeviceAccessProgram.version)] - ") == true)
  }

  @Test func `the values that never grow are those of the schema`() throws {
    let schema = try Repository.read("Documentation/devaccess.schema.json")
    let flat = schema.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    func list(_ values: [String]) -> String {
      values.map { "\"\($0)\"" }.joined(separator: ", ")
    }
    for values in [
      Answer.allCases.map(\.rawValue), Certainty.allCases.map(\.rawValue),
      PermissionStatus.allCases.map(\.rawValue),
    ] {
      #expect(flat.contains("\"enum\": [\(list(values))]") || flat.contains("[ \(list(values)) ]"))
    }
  }
}
