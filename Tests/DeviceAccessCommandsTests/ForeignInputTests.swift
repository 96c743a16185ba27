import AccessModel
import DevicePermissionsTesting
import JSONText
import Testing

@testable import DeviceAccessCommands

@Suite struct `Input of another format` {
  private static let formats: [(text: String, name: String)] = [
    ("<!DOCTYPE html>\n<html>\n", "HTML"), ("<HTML>", "HTML"),
    ("<?xml version='1.0'?>\n<a/>", "XML"),
    ("---\na: 1\n", "YAML"), ("services:\n  app:\n", "YAML"), ("name: x\nb: y\n", "YAML"),
    ("[1,\n2]", "a JSON array"), ("[]\n[]\n", "a JSON array"), ("12\n", "a JSON value"),
    ("\"a\"\n", "a JSON value"), ("\u{7F}ELF\u{2}\u{1}\u{0}\u{0}\nx\n", "binary"),
    ("#!/bin/sh\nexit\n", "a script"), ("# a comment\nx\n", "plain text"),
    ("crw-rw---- 1 root video 81, 0 /dev/video0\nx\n", "plain text"),
    (#"{"a":1,"b":2,"c":3,"d":4}"#, "a JSON object with 'a', 'b', 'c' and others"),
    (
      #"{"schema":"devaccess/1","command":"check","answer":"allowed"}"#,
      "the answer of 'devaccess check --json'"
    ),
  ]

  @Test(arguments: formats)
  func `is named, and nothing after its first line is read`(_ text: String, _ name: String)
    async throws
  {
    let file = try TemporaryFile("\n" + text)
    let explained = await CommandResult.run(["explain", "--from", file.path])
    #expect(explained.errors == "devaccess: \(file.path) is \(name), not a snapshot\n")
    #expect(explained.status == .usage && explained.output == "")
    let decided = await CommandResult.run(["decide", "--from", file.path])
    #expect(
      decided.errors
        == "devaccess: line 2: the input is \(name); 'decide' expects one case per line\n")
    #expect(decided.status == .usage && decided.output == "")
  }

  @Test(arguments: ["", "\n", " \n\t\n"])
  func `is empty`(_ text: String) async throws {
    let file = try TemporaryFile(text)
    let result = await CommandResult.run(["explain", "--from", file.path])
    #expect(result.errors == "devaccess: \(file.path) is empty, not a snapshot\n")
    // Input without cases produces no answers.
    let decided = await CommandResult.run(["decide", "--from", file.path])
    #expect(decided.status == .allowed && decided.errors == "")
  }

  @Test func `may be that of the other command`() async throws {
    let facts = try Machines.laptop(running: "bob").facts(for: Question(.kind(.camera)))
    let snapshot = try TemporaryFile(JSONWriter.encode(facts))
    let decided = await CommandResult.run(["decide", "--from", snapshot.path])
    #expect(decided.errors.contains("is a snapshot, which 'devaccess explain --from' reads"))
    let indented = try TemporaryFile(JSONWriter.encode(facts, layout: .indented))
    let lines = await CommandResult.run(["decide", "--from", indented.path])
    #expect(lines.errors.contains("line 1: the input is JSON on several lines"))
    let access = try TemporaryFile(JSONWriter.encode(facts.access))
    let explained = await CommandResult.run(["explain", "--from", access.path])
    #expect(explained.errors.contains("is a case, which 'devaccess decide' reads, not a snapshot"))
  }
}

@Suite struct `A question about a snapshot` {
  private static func file() throws -> TemporaryFile {
    let machine = Machines.laptop(running: "bob")
    let lines = try [DeviceKind.camera, .serial].map { kind in
      try JSONWriter.encode(machine.facts(for: Question(.kind(kind))))
    }
    return try TemporaryFile(lines.joined(separator: "\n"))
  }

  @Test func `gets only what the file says about it`() async throws {
    let file = try Self.file()
    let all = await CommandResult.run(["check", "--from", file.path])
    let camera = await CommandResult.run(["check", "camera", "--from", file.path])
    #expect(!camera.output.isEmpty && all.output.hasPrefix(camera.output))
    #expect(camera.output != all.output)
    let path = await CommandResult.run(["check", "/dev/video0", "--from", file.path])
    #expect(path.output.hasPrefix("allowed: read and write access to /dev/video0"))
    let explained = await CommandResult.run(["explain", "camera", "--from", file.path])
    #expect(explained.output.contains("/dev/video0") && explained.errors == "")
  }

  @Test func `about something else says what the file is about`() async throws {
    let file = try Self.file()
    let none = await CommandResult.run(["explain", "/dev/sda", "--from", file.path])
    #expect(none.output == "" && none.status == .undetermined)
    #expect(
      none.errors
        == "devaccess: \(file.path) has no snapshot of /dev/sda; it has camera, serial\n")
    let some = await CommandResult.run(["check", "camera", "kvm", "--from", file.path])
    #expect(some.output.hasPrefix("allowed: "))
    #expect(some.hasOneErrorLine && some.status == .undetermined)
  }
}

@Suite struct `Several questions` {
  @Test func `get a line each, and the highest status`() async {
    let machine = Machines.laptop(running: "bob")
    let result = await CommandResult.run(["check", "camera", "/dev/none", "camera"], on: machine)
    let lines = result.output.split(separator: "\n")
    let start = "allowed: read and write access to camera /dev/video0"
    #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix(start) })
    #expect(result.hasOneErrorLine && result.status == .absent)
    let json = await CommandResult.run(["check", "camera", "/dev/none", "--json"], on: machine)
    #expect(json.output.split(separator: "\n").count == 2)
    #expect(json.output.contains(#""exit_status":3"#))
  }

  @Test func `of the status are about the kinds that are named`() async {
    let result = await CommandResult.run(["status", "serial", "camera"])
    #expect(result.output.contains("\nserial "), "\(result.output)")
    #expect(result.output.contains("\ncamera ") && !result.output.contains("\nalbum "))
  }
}

@Suite struct `The help for a cause` {
  @Test(arguments: CauseCode.allCases)
  func `is its section of the article`(_ cause: CauseCode) async {
    let result = await CommandResult.run(["help", cause.rawValue.lowercased()])
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "\(cause.rawValue): \(cause.title)")
    #expect(lines.count > 4)
    #expect(!result.output.contains("`"))
    #expect(lines.allSatisfy { $0.count <= 80 })
  }
}
