import LegoKit
import LegoSecrets
import Testing

@Suite struct `Names of secrets` {
  let secrets = Secrets([.inMemory(SecretsInMemory())])

  @Test(
    arguments: [
      "", ".", "..", "a/b", "/etc/passwd", "../token", "a:b", "a\nb", "a\0b", "é", "\u{7F}",
      String(repeating: "a", count: 256),
    ])
  func `that are not those of a file are refused`(_ name: String) async {
    #expect(await code { try await secrets.read(name, String.self) } == .badName)
    #expect(await code { try await secrets.write(name, "abc") } == .badName)
    #expect(await code { try await secrets.delete(name) } == .badName)
  }

  @Test(arguments: ["a", "...", ".hidden", "my token", "a~b", String(repeating: "a", count: 255)])
  func `that are plain are taken`(_ name: String) async throws {
    try await secrets.write(name, "abc")
    #expect(try await secrets.read(name)?.value == "abc")
  }

  @Test func `are shown without control characters, and not at any length`() async {
    let long = "\u{1b}[31m" + String(repeating: "x", count: 1_000_000)
    let text = await error { try await secrets.delete(long) }?.description ?? ""
    #expect(text.hasPrefix(#"cannot delete the secret "\u001b[31mxxx"#))
    #expect(text.utf8.count < 400)
  }

  @Test func `of applications obey the same rules`() async {
    for store in [
      SecretStore.secretService(application: "a/b"), .kernelKeyring(application: "a:b"),
    ] {
      #expect(await code { try await Secrets([store]).read("token", String.self) } == .badName)
    }
  }
}

@Suite struct `Values of secrets` {
  let memory = SecretsInMemory()
  var secrets: Secrets { Secrets([.inMemory(memory)]) }

  @Test func `are text, bytes or JSON`() async throws {
    try await secrets.write("text", "päss")
    try await secrets.write("bytes", [1, 255, 10] as [UInt8])
    try await secrets.write("user", User.mateo)
    try await secrets.write("numbers", [1, 2])
    try await secrets.write("quoted", "päss", as: .json)
    #expect(memory.text("text") == "päss")
    #expect(memory.text("bytes") == nil)
    #expect(memory.text("user") == #"{"name":"Mateo","age":23}"#)
    #expect(memory.text("numbers") == "[1,2]")
    #expect(memory.text("quoted") == #""päss""#)
    #expect(try await secrets.read("text")?.value == "päss")
    #expect(try await secrets.read("bytes")?.value == [1, 255, 10] as [UInt8])
    #expect(try await secrets.read("user")?.value == User.mateo)
    #expect(try await secrets.read("numbers")?.value == [1, 2])
    #expect(try await secrets.read("quoted", as: .json)?.value == "päss")
  }

  @Test func `keep the line end that they were written with`() async throws {
    try await secrets.write("text", "abc\n")
    #expect(try await secrets.read("text")?.value == "abc\n")
  }

  @Test func `have at most 1 MiB`() async throws {
    try await secrets.write("large", String(repeating: "a", count: 1 << 20))
    let larger = String(repeating: "a", count: 1 << 20 + 1)
    #expect(await code { try await secrets.write("larger", larger) } == .badSize)
    #expect(memory.names == ["large"])
  }

  @Test func `are in no error`() async throws {
    let memory = SecretsInMemory([
      "user": #"{"name":"Mateo","age":"hunter2"}"#, "list": #"["hunter2"#, "key": #"{"hunter2":1}"#,
    ])
    let secrets = Secrets([.inMemory(memory)])
    try await secrets.write("text", [0xFF] + Array("hunter2".utf8))
    for problem in [
      await error { try await secrets.read("user", User.self) },
      await error { try await secrets.read("list", [String].self) },
      await error { try await secrets.read("key", [String: String].self) },
      await error { try await secrets.read("text", String.self) },
      await error { try await secrets.write("x", Unwritable(text: "hunter2")) },
    ] {
      let problem = try #require(problem)
      #expect([.notDecodable, .notEncodable].contains(problem.code))
      var text = "\(problem) \(String(reflecting: problem))"
      dump(problem, to: &text)
      #expect(!text.contains("hunter2"))
    }
  }
}

/// A value that tells itself in the error that it throws.
private struct Unwritable: Encodable, Sendable {
  let text: String

  func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      text, EncodingError.Context(codingPath: [], debugDescription: text))
  }
}
