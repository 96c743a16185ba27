import AccessModel
import Foundation
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `The unit that ends grants at a login`: ~Copyable {
  private let directory: TemporaryDirectory
  private let unit: LoginUnit
  private var file: String { "\(directory.path)/systemd/user/devaccess-grants.service" }
  private var link: String {
    "\(directory.path)/systemd/user/default.target.wants/devaccess-grants.service"
  }

  init() throws {
    directory = try TemporaryDirectory()
    unit = LoginUnit(folder: "\(directory.path)/systemd/user", target: "default.target")
  }

  @Test func `is wanted by the target, and goes without a trace of its own`() throws {
    for _ in 0..<2 {
      try unit.write("/usr/bin/devaccess")
      let text = try String(contentsOfFile: link, encoding: .utf8)
      #expect(text.contains("\nExecStart=\"/usr/bin/devaccess\" revoke --overdue\n"))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    }
    try directory.file("systemd/user/other.service", "[Service]\n")
    unit.remove()
    unit.remove()
    let names = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
    #expect(
      names.sorted() == [
        "systemd", "systemd/user", "systemd/user/default.target.wants",
        "systemd/user/other.service",
      ])
  }

  @Test func `starts a program of an unusual name`() throws {
    try unit.write("/a b/50%n$x=ä")
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.contains(#"ExecStart="/a b/50%%n$x=ä" revoke --overdue"#))
  }

  @Test(arguments: ["/a\"b", "/a'b", "/a\\b", "/a\n[Service]", "/a\u{7F}"])
  func `is not written for a program that systemd does not start`(program: String) {
    #expect(throws: GrantError.self) { try unit.write(program) }
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func `is not written through a link that stands for its folder`() throws {
    let away = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: "\(directory.path)/systemd", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: "\(directory.path)/systemd/user", withDestinationPath: away.path)
    #expect(throws: (any Error).self) { try unit.write("/usr/bin/devaccess") }
    unit.remove()
    #expect(try FileManager.default.contentsOfDirectory(atPath: away.path).isEmpty)
  }
}
