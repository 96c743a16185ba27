import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import Foundation
import JSONReading
import LegoKit
import LinuxDevices
import MachineSamples
import Testing

@testable import DeviceAccessCommands

@Suite struct `Watching` {
  private func lines(
    _ arguments: [String], on machine: InMemoryMachine, _ steps: [(InMemoryMachine) -> Void]
  ) async throws -> WatchRun.Result {
    try await WatchRun.lines(arguments, on: machine, steps)
  }

  private var machine: InMemoryMachine {
    InMemoryMachine.twoSessions()
  }

  @Test func `a line for the answer as it is, and one for each that it becomes`() async throws {
    let result = try await lines(
      ["watch", "camera"], on: machine,
      [
        { machine in machine.change { $0.activateSession(of: "bob") } },
        { machine in machine.change { $0.activateSession(of: "alice") } },
        { machine in machine.change { $0.removeDevice("/dev/video0") } },
      ])
    #expect(result.status == .allowed)
    #expect(result.errors == "")
    let texts: [String] = result.lines.map { line in String(line.dropFirst(9)) }
    try #require(texts.count == 4)
    #expect(texts[0] == "allowed: read and write access to /dev/video0\n")
    #expect(
      texts[1].hasPrefix(
        """
        refused: read and write access to /dev/video0 — logind gives /dev/video0 only to the \
        active
        """))
    #expect(texts[1].hasSuffix(" (the session became inactive)\n"))
    #expect(
      texts[2]
        == "allowed: read and write access to /dev/video0 (the session became active)\n")
    #expect(texts[3].hasPrefix("absent: camera — "))
    #expect(texts[3].hasSuffix(" (/dev/video0 was removed)\n"))
    for line in result.lines {
      let time = try Regex("[0-9]{2}:[0-9]{2}:[0-9]{2} ")
      #expect(line.prefixMatch(of: time) != nil)
    }
  }

  @Test func `of several questions a line says which one it answers`() async throws {
    let result = try await lines(
      ["watch", "camera", "/dev/video0"], on: machine,
      [{ _ in }, { machine in machine.change { $0.activateSession(of: "bob") } }, { _ in }])
    let texts: [String] = result.lines.map { line in String(line.dropFirst(9)) }
    try #require(texts.count == 4)
    for pair in [texts[..<2], texts[2...]] {
      let word = pair.first?.prefix { $0 != ":" } ?? ""
      #expect(pair.first?.hasPrefix("\(word): read and write access to camera /dev/video0") == true)
      #expect(pair.last?.hasPrefix("\(word): read and write access to /dev/video0") == true)
    }
  }

  @Test func `two paths that look the same are two questions`() async throws {
    let paths = ["/caf\u{E9}", "/cafe\u{301}"]
    let machine = machine
    machine.change { $0.addFile(paths[0]) }
    let result = try await lines(["watch"] + paths + [paths[0]], on: machine, [{ _ in }])
    let texts: [String] = result.lines.map { line in String(line.dropFirst(9)) }
    try #require(texts.count == 2)
    #expect(texts[0].utf8.starts(with: "refused: read and write access to \(paths[0]) ".utf8))
    #expect(texts[1].utf8.starts(with: "absent: \(paths[1]) ".utf8))
  }

  @Test func `JSON has an object for each line, as the schema says`() async throws {
    let result = try await lines(
      ["watch", "camera", "/dev/none", "--json"], on: machine,
      [{ _ in }, { machine in machine.change { $0.addFile("/dev/none") } }])
    let checker = try SchemaChecker(Repository.read("Documentation/devaccess.schema.json"))
    for line in result.lines {
      let value = try ParsedJSON(parsing: Array(line.utf8))
      #expect(checker.problems(value, definition: "watch") == [])
    }
    let last = try ParsedJSON(parsing: Array(result.lines[2].utf8))
    #expect(last.members?["path"] == .string("/dev/none"))
    #expect(last.members?["before"] == .string("absent"))
  }

  @Test func `without a kind it watches the camera and the album`() async throws {
    let result = try await lines(["watch"], on: machine, [{ _ in }])
    #expect(result.lines.count == 2)
    #expect(result.lines[0].contains("/dev/video0"))
    #expect(result.lines[1].contains("Pictures") || result.lines[1].contains("album"))
  }

  @Test func `an output that nobody reads ends it`() async {
    let sink = RecordingSink(failure: .closed)
    let result = await CommandResult.run(["watch", "camera"], on: machine, output: sink)
    #expect(result.status == .allowed)
    #expect(result.errors == "")
  }

  @Test(arguments: [["watch", "--read"], ["watch", "camra"], ["watch", "camera", "--wait"]])
  func `what it cannot watch is refused`(_ arguments: [String]) async {
    let result = await CommandResult.run(arguments, on: machine)
    #expect(result.status == .usage)
    #expect(result.hasOneErrorLine)
  }

  @Test func `every code of a difference is in the schema`() throws {
    let checker = try SchemaChecker(Repository.read("Documentation/devaccess.schema.json"))
    for code in FactsDifference.Code.allCases {
      #expect(checker.problems(.string(code.rawValue), definition: "difference_code") == [])
    }
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (951_782_399_999, "2000-02-28T23:59:59.999Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_709_251_199_001, "2024-02-29T23:59:59.001Z"),
    (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
  ])
  func `times are written as RFC 3339 has them`(_ milliseconds: Int64, _ text: String) {
    #expect(Timestamp(milliseconds: milliseconds).text == text)
  }

  @Test(
    arguments: [
      (1_000_000_000, 0, "01:46:40"), (1_000_000_000, 7200, "03:46:40"),
      (999_999_999, 0, "01:46:39"), (1_000_080_000, 0, "2001-09-10 00:00:00"),
      (1_000_080_000, -7200, "2001-09-09 22:00:00"), (999_990_000, -14_400, "19:00:00"),
      (999_907_199, 0, "2001-09-07 23:59:59"),
    ] as [(Int64, Int64, String)])
  func `people get the local time, with the date of another day`(
    _ seconds: Int64, _ offset: Int64, _ text: String
  ) {
    let now = Timestamp(seconds: 1_000_000_000)
    #expect(Timestamp(seconds: seconds).localText(now: now) { _ in offset } == text)
  }

  @Test func `a time that no calendar has is the nearest one`() {
    #expect(Timestamp(seconds: .min).text == "0001-01-01T00:00:00.000Z")
    #expect(Timestamp(seconds: 1).text == "1970-01-01T00:00:01.000Z")
    #expect(Timestamp(seconds: .max).text == "9999-12-31T23:59:59.000Z")
  }
}
