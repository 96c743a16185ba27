import AccessModel
import Glibc
import JSONText
import LinuxTestSupport
import Testing

@testable import DeviceAccessCommands

@Suite struct SnapshotTextTests {
  @Test("members with free names come in the order of their names")
  func order() throws {
    let names = (0..<24).map { "PROPERTY_\(Character(UnicodeScalar(UInt8(97 + $0))))" }
    var facts = try JSONReader.decode(
      AccessFacts.self, from: PackageResources.example_snapshot_json)
    facts.devices[0].properties = Dictionary(
      uniqueKeysWithValues: names.shuffled().map { ($0, "x") })
    facts.session?.activeUsers = Dictionary(
      uniqueKeysWithValues: names.map { ($0.replacing("PROPERTY", with: "seat"), 1000) })
    let text = try JSONWriter.encode(facts)
    let positions = try names.map { try #require(text.firstRange(of: "\"\($0)\"")).lowerBound }
    #expect(positions == positions.sorted())
    let seats = try names.map {
      try #require(text.firstRange(of: "\"\($0.replacing("PROPERTY", with: "seat"))\"")).lowerBound
    }
    #expect(seats == seats.sorted())
  }
}

@Suite struct `Redacted snapshots` {
  @Test func `name nobody and are answered as the full ones`() async throws {
    let full = await CommandResult.run(["snapshot", "camera"])
    let redacted = await CommandResult.run(["snapshot", "camera", "--redact"])
    #expect(full.output.contains("alice") && full.output.contains("bob"))
    #expect(!redacted.output.contains("alice") && !redacted.output.contains("bob"))
    let answers = try await [full, redacted].asyncMap { result in
      let file = try TemporaryFile(result.output)
      return await CommandResult.run(["check", "--from", file.path]).output
    }
    #expect(answers[0].contains("alice (1001)") && answers[1].contains("user2 (1001)"))
    #expect(answers[0].replacing("alice", with: "user2") == answers[1])
  }

  @Test func `are written to a file like the full ones`() async throws {
    let file = try TemporaryFile()
    let result = await CommandResult.run(["snapshot", "camera", "--redact", "-o", file.path])
    #expect(result.status == .allowed && result.output == "" && result.errors == "")
    #expect(try file.contents().contains("user1"))
  }

  @Test func `make a file for its owner alone`() async throws {
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/snapshot.json"
    #expect(await CommandResult.run(["snapshot", "camera", "-o", path]).status == .allowed)
    var status = stat()
    #expect(unsafe stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test(arguments: ["check", "explain", "list"])
  func `are for sending, not for answering`(_ command: String) async {
    let result = await CommandResult.run([command, "camera", "--redact"])
    #expect(result.status == .usage && result.hasOneErrorLine)
  }
}

extension Array {
  fileprivate func asyncMap<Value>(
    _ transform: (Element) async throws -> Value
  ) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
