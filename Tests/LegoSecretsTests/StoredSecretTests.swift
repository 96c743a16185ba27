import LegoKit
import LegoSecrets
import Testing

/// The keychain of SimpleArch's manual, in the words of this library.
private struct Session {
  @StoredSecret<User>("user") var user
  @StoredSecret("token") var token: StoredSecret<String>
}

@Suite struct `A stored secret` {
  let memory = SecretsInMemory()
  private let session = Session()

  @Test func `is read, written and deleted where it is used`() async throws {
    try await withContractors {
      $0.secrets = Secrets([.inMemory(memory)])
    } operation: {
      #expect(try await session.user.read() == nil)
      try await session.user.write(User(name: "Ines", age: 41))
      #expect(try await session.user.read()?.value == User.ines)
      try await session.token.write("abc")
      #expect(memory.names == ["token", "user"])
      #expect(memory.text("token") == "abc")
      #expect(try await session.user.delete())
      #expect(memory.names == ["token"])
    }
  }

  @Test func `never reaches the keyring of the person who runs a test`() async {
    let read = { await error { try await session.user.read() } }
    let problem = await withTestContractors(onMissing: { _ in }, operation: read)
    #expect(problem?.code == .unavailable)
    #expect(problem?.reason == "the test has no store (set one: $0.secrets = Secrets(…))")
  }
}
