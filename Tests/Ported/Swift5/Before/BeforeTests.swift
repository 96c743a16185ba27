import Foundation
import LegoKit
import Testing

@Suite struct `What the page about Swift 6 prints before each difference` {
  private static var root: URL {
    (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func `is compiled as it is printed, in Swift 5 mode`() throws {
    let page = try Self.text("Sources/Lego/LegoKit/LegoKit.docc/FromSwift5ToSwift6.md")
    let program = try Self.text("Tests/Ported/Swift5/Before/Shutter.swift")
    let blocks = page.components(separatedBy: "Before:\n\n```\n").dropFirst()
      .map { $0.components(separatedBy: "```\n")[0] }
    #expect(blocks.count == 6)
    for block in blocks { #expect(program.contains(block)) }
  }

  @Test func `runs`() async {
    for lego in stores() {
      await lego.build(.requestAccess).finished()
      #expect(lego.design.status == .open)
      let drawn = label("Shutter", \.status, change: { .access($0) }, of: lego)
      #expect(drawn == "Shutter: open")
    }
    ShutterLog.shared.append("asked")
    #expect(ShutterLog.shared.lines == ["asked"])
  }
}
