import LegoSecrets
import Testing

@Suite struct `The order of stores` {
  let credentials = SecretsInMemory()
  let first = SecretsInMemory()
  let second = SecretsInMemory()

  /// As in use: one that is not written, and two that are.
  var secrets: Secrets {
    Secrets([
      .inMemory(credentials, isWritable: false, title: "the credentials"),
      .inMemory(first, title: "the first"), .inMemory(second, title: "the second"),
    ])
  }

  private func keep(_ text: String, in store: SecretsInMemory) async throws {
    try await Secrets([.inMemory(store)]).write("token", text)
  }

  @Test func `decides which secret is read`() async throws {
    #expect(try await secrets.read("token", String.self) == nil)
    try await keep("c", in: second)
    #expect(try await secrets.read("token")?.value == "c")
    try await keep("b", in: first)
    #expect(try await secrets.read("token")?.value == "b")
    try await keep("a", in: credentials)
    #expect(try await secrets.read("token")?.value == "a")
  }

  @Test func `passes over what is not there, and names each where none is`() async throws {
    first.fail(with: .unavailable)
    try await keep("c", in: second)
    #expect(try await secrets.read("token")?.value == "c")
    #expect(try await secrets.read("other", String.self) == nil)
    #expect(try await secrets.write("token", "d").description == "the second")
    #expect(try await secrets.delete("token"))
    credentials.fail(with: .unavailable)
    #expect(try await secrets.write("token", "e").description == "the second")
    second.fail(with: .unavailable)
    for problem in [
      await error { try await secrets.read("token", String.self) },
      await error { try await secrets.write("token", "abc") },
      await error { try await secrets.delete("token") },
    ] {
      let problem = try #require(problem)
      #expect(problem.code == .unavailable)
      #expect(problem.store == nil)
      for name in ["the credentials", "the first", "the second"] {
        #expect(problem.reason.contains(name))
      }
    }
    let nothing = await error { try await Secrets([]).read("token", String.self) }
    #expect(nothing?.description == #"cannot read the secret "token": there is no store"#)
  }

  @Test(arguments: [SecretCode.locked, .timedOut, .failed, .unreadable, .cancelled])
  func `ends at a store that cannot answer`(_ code: SecretCode) async throws {
    try await keep("c", in: second)
    first.fail(with: code)
    for problem in [
      await error { try await secrets.read("token", String.self) },
      await error { try await secrets.write("token", "abc") },
    ] {
      #expect(problem?.code == code)
      #expect(problem?.store == "the first")
    }
    #expect(second.text("token") == "c")
    // What lies before it is found all the same.
    try await keep("a", in: credentials)
    #expect(try await secrets.read("token")?.value == "a")
  }

  @Test func `refuses what would be hidden`() async throws {
    try await keep("a", in: credentials)
    try await keep("b", in: first)
    for problem in [
      await error { try await secrets.write("token", "abc") },
      await error { try await secrets.delete("token") },
    ] {
      #expect(problem?.code == .readOnly)
      #expect(problem?.store == "the credentials")
    }
    #expect(first.text("token") == "b")
    // One that is not written hides nothing before it.
    let backwards = Secrets([.inMemory(first), .inMemory(credentials, isWritable: false)])
    #expect(try await backwards.write("token", "x").description == "the memory")
  }

  @Test func `writes to the first, and deletes from all`() async throws {
    try await keep("old", in: second)
    try await secrets.write("token", "new")
    #expect(first.text("token") == "new")
    #expect(second.text("token") == "old")
    #expect(try await secrets.delete("token"))
    #expect(first.names == [] && second.names == [])
    #expect(try await secrets.delete("token") == false)
  }

  @Test func `shows no older secret where deleting fails`() async throws {
    try await keep("old", in: second)
    try await keep("new", in: first)
    second.fail(with: .failed)
    #expect(await code { try await secrets.delete("token") } == .failed)
    #expect(first.text("token") == "new")
    second.fail(with: nil)
    first.fail(with: .locked)
    #expect(await code { try await secrets.delete("token") } == .locked)
    #expect(second.names == [])
    first.fail(with: nil)
    #expect(try await secrets.read("token")?.value == "new")
  }
}
