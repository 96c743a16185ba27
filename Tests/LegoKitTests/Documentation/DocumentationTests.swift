import Foundation
import Testing

@Suite struct `The documentation` {
  /// A text without the space that only sets it out.
  private func squeezed(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test(arguments: ["LegoKit", "LegoPublishers", "LegoTesting"])
  func `shows only examples that are compiled`(module: String) throws {
    let here = URL(filePath: #filePath)
    let package = (0..<4).reduce(here) { url, _ in url.deletingLastPathComponent() }
    let examples = squeezed(
      try String(
        contentsOf: here.deletingLastPathComponent().appending(
          path: "DocumentationExamples.swift"), encoding: .utf8))
    let folder = package.appending(path: "Sources/\(module)/\(module).docc")
    var count = 0
    for page in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
      for block in text.components(separatedBy: "```swift\n").dropFirst() {
        let code = block.components(separatedBy: "```")[0]
        // Examples are indented here and cut in pieces by what is tested in between.
        for piece in code.components(separatedBy: "\n\n") {
          let piece = squeezed(piece)
          #expect(examples.contains(piece), "\(page) shows what is not compiled: \(piece)")
          count += 1
        }
      }
    }
    #expect(count > 0)
  }
}
