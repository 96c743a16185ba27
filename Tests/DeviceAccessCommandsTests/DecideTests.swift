import DevicePermissionsTesting
import Foundation
import Glibc
import LinuxTestSupport
import Synchronization
import Testing

@testable import DeviceAccessCommands

@Suite struct `Deciding cases` {
  static let good = `Bad input`.good

  @Test func `answers one line for one line`() async throws {
    let second = Self.good.replacing("\"id\":1,", with: "\"id\":2,")
      .replacing("\"rx\"", with: "\"rwx\"")
    let file = try TemporaryFile(Self.good + "\n\n" + second)
    let result = await CommandResult.run(["decide", "--from", file.path])
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines.first?.hasPrefix(#"{"id":1,"granted":true,"errno":0,"rule":"mode.other","at":"/""#)
        == true)
    #expect(
      lines.last?.hasPrefix(#"{"id":2,"granted":false,"errno":13,"rule":"mode.other","at":"/""#)
        == true)
    #expect(result.errors == "" && result.status == .allowed)
  }

  @Test func `names the line of a malformed case and goes on`() async throws {
    let file = try TemporaryFile("{\"id\":\n" + Self.good + "\n{\"id\":\"\u{1B}\"}\n[]\n")
    let descriptor = try file.open()
    let result = await CommandResult.run(["decide"], input: descriptor)
    #expect(result.status == .usage)
    #expect(result.output.split(separator: "\n").count == 1)
    let errors = result.errors.split(separator: "\n")
    #expect(errors.count == 3)
    #expect(errors[0].hasPrefix("devaccess: line 1: the text ends too early"))
    #expect(errors[1].hasPrefix("devaccess: line 3: "))
    #expect(errors[2].hasPrefix("devaccess: line 4: "))
    #expect(!result.errors.contains("\u{1B}"))
  }

  @Test(
    arguments: [
      ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]),
      ("\n\na\n", ["", "", "a"]), ("12345678\n", ["12345678"]), ("123456789\nb\n", [nil, "b"]),
      ("123456789", [nil]),
      ("b\n" + String(repeating: "x", count: 200_000) + "\nc", ["b", nil, "c"]),
      (String(repeating: "x", count: 65_536 * 2), [nil]),
    ] as [(String, [String?])])
  func `lines are read within bounds`(text: String, expected: [String?]) throws {
    let file = try TemporaryFile(text)
    var reader = LineReader(try InputFile(file.path, standardInput: -1), limit: 8)
    var lines: [String?] = []
    while let line = try reader.next() {
      switch line {
      case .text(let bytes): lines.append(String(decoding: bytes, as: UTF8.self))
      case .tooLong: lines.append(nil)
      }
    }
    #expect(lines == expected)
  }

  @Test func `a reader that waits for an answer gets it before it sends more`() async throws {
    let (input, writer) = try PipeEnds.open()
    let output = RecordingSink()
    let line = Self.good + "\n"
    // The command waits for input on a thread of the pool, so the writer must not need one.
    let answered = Mutex<[Int]>([])
    Thread.detachNewThread {
      for count in 1...3 {
        guard unsafe write(writer, line, line.utf8.count) == line.utf8.count else { break }
        var waits = 0
        while output.text.filter({ $0 == "\n" }).count < count, waits < 5000 {
          usleep(2000)
          waits += 1
        }
        answered.withLock { $0.append(output.text.filter { $0 == "\n" }.count) }
      }
      close(writer)
    }
    let result = await CommandResult.run(["decide"], input: input, output: output)
    #expect(result.status == .allowed)
    #expect(answered.withLock { $0 } == [1, 2, 3])
    close(input)
  }
}
