import AccessModel
import DevicePermissionsTesting
import JSONText
import Testing

@testable import DeviceAccessCommands

@Suite struct `Streams of snapshots` {
  /// Returns three snapshots of one machine, for alice, bob and alice again, one per line.
  private static func lines() throws -> [String] {
    try ["alice", "bob", "alice"].map { user in
      let facts = try Machines.laptop(running: user).facts(for: Question(.kind(.camera)))
      return try JSONWriter.encode(facts)
    }
  }

  private static func run(_ arguments: [String], _ text: String) async throws -> CommandResult {
    let file = try TemporaryFile(text)
    return await CommandResult.run(arguments + ["--from", file.path])
  }

  @Test func `are answered in order, and the highest status is that of the command`() async throws {
    let result = try await Self.run(["check"], Self.lines().joined(separator: "\n"))
    #expect(
      result.output == """
        refused: read and write access to /dev/video0 — /dev/video0 gives group video (44) read \
        and write access, but alice (1001) is not in that group.
        allowed: read and write access to /dev/video0
        refused: read and write access to /dev/video0 — /dev/video0 gives group video (44) read \
        and write access, but alice (1001) is not in that group.

        """)
    #expect(result.errors == "")
    #expect(result.status == .refused)
  }

  @Test func `are explained one after another`() async throws {
    let lines = try Self.lines()
    let result = try await Self.run(["explain"], "\n" + lines.joined(separator: "\n\n") + "\n")
    let alone = try await Self.run(["explain"], lines[0])
    #expect(result.output.hasPrefix(alone.output + "\ncamera: allowed"))
    #expect(result.output.hasSuffix("\n\n" + alone.output))
  }

  @Test func `are one JSON object a line`() async throws {
    let result = try await Self.run(["explain", "--json"], Self.lines().joined(separator: "\n"))
    let objects = result.output.split(separator: "\n")
    #expect(objects.count == 3)
    #expect(objects.allSatisfy { $0.hasPrefix("{\"schema\"") && $0.hasSuffix("}") })
  }

  @Test(arguments: [#"{"format":"other"}"#, "{]", "garbage", #"{"format":1}}"#, "\u{0}", "\""])
  func `go on after a line that is no snapshot`(_ bad: String) async throws {
    let lines = try Self.lines()
    let text = [lines[1], bad, lines[1]].joined(separator: "\n")
    let result = try await Self.run(["check"], text)
    #expect(result.output.split(separator: "\n").count == 2)
    #expect(result.hasOneErrorLine)
    #expect(result.errors.hasPrefix("devaccess: line 2: "))
    #expect(result.status == .usage)
  }

  @Test func `report a line that is no snapshot among the JSON objects, too`() async throws {
    let lines = try Self.lines()
    let result = try await Self.run(["check", "--json"], "{}\n" + lines[1])
    let objects = result.output.split(separator: "\n")
    #expect(objects.count == 2)
    #expect(objects.first?.contains(#""error":"line 1: "#) == true)
    #expect(result.status == .usage)
  }

  @Test func `a path that leads nowhere is one line of the others`() async throws {
    let lost = try JSONWriter.encode(
      try Machines.laptop(running: "bob").facts(for: Question(.path("/dev/none"))))
    let result = try await Self.run(["check"], try Self.lines()[1] + "\n" + lost)
    #expect(result.output.hasPrefix("allowed: "))
    #expect(result.hasOneErrorLine)
    #expect(result.errors.hasPrefix("devaccess: line 2: /dev/none"))
    #expect(result.status == .absent)
    let explained = try await Self.run(["explain"], lost + "\n")
    #expect(explained.output.contains("\nCause      /dev/none does not exist. (NODE_ABSENT)"))
    #expect(explained.errors == "" && explained.status == .absent)
  }

  @Test func `one document over many lines stands alone`() async throws {
    let facts = try Machines.laptop().facts(for: Question(.kind(.camera)))
    let text = try JSONWriter.encode(facts, layout: .indented)
    let result = try await Self.run(["check"], "\n" + text + "\n\n")
    #expect(
      result.output
        == """
        refused: read and write access to /dev/video0 — /dev/video0 gives group video (44) read \
        and write access, but alice (1001) is not in that group.\n
        """
    )
    let cut = try await Self.run(["check"], String(text.dropLast(2)))
    #expect(cut.hasOneErrorLine && !cut.errors.contains("line "))
    #expect(cut.status == .usage)
  }

  @Test(arguments: [["--json"], []])
  func `are what snapshot writes for several objects`(options: [String]) async throws {
    let file = try TemporaryFile()
    let objects = ["camera", "album", "/dev/video1"]
    let printed = await CommandResult.run(["snapshot"] + objects + options)
    #expect(printed.status == .allowed && printed.errors == "")
    let written = await CommandResult.run(["snapshot"] + objects + ["-o", file.path])
    #expect(written.status == .allowed && written.output == "")
    if options.isEmpty { #expect(try file.contents() == printed.output) }
    for text in [printed.output, try file.contents()] {
      #expect(text.split(separator: "\n").count == 3)
      let result = try await Self.run(["check"], text)
      #expect(
        result.output.split(separator: "\n").map { $0.prefix { $0 != ":" } } == [
          "refused", "allowed", "refused",
        ])
      #expect(result.errors == "" && result.status == .refused)
    }
    let wrong = await CommandResult.run(["snapshot", "camera", "nonsense"])
    #expect(wrong.status == .usage && wrong.hasOneErrorLine && wrong.output == "")
  }

  @Test func `one document in the object of snapshot --json is read, too`() async throws {
    let printed = await CommandResult.run(["snapshot", "camera", "--json"])
    let result = try await Self.run(["check"], printed.output)
    #expect(
      result.output
        == """
        refused: read and write access to /dev/video0 — /dev/video0 gives group video (44) read \
        and write access, but alice (1001) is not in that group.\n
        """
    )
    let empty = try await Self.run(["check"], #"{"schema":"devaccess/1","snapshot":{}}"#)
    #expect(empty.status == .usage && empty.hasOneErrorLine)
  }

  @Test(arguments: [
    ("{}", true), ("  [1,2]\t", true), (#"{"a":"}"}"#, true), ("x", true), ("}", true),
    ("{", false), (#"{"a":"{}""#, false), (#""\""#, false), (#"{"a":"\\"}"#, true), ("", true),
  ])
  func `a line is complete when its brackets are`(_ line: String, _ isComplete: Bool) {
    #expect(SnapshotReader.isComplete(Array(line.utf8)) == isComplete)
  }
}
