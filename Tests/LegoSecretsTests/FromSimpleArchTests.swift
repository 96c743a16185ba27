import LegoKit
import LegoSecrets
import Testing

/// A ticket that is kept, as the manual keeps a user.
private struct Ticket: Codable, Equatable {
  let stop: String
  let zones: Int
}

private struct Wallet {
  @StoredSecret<Ticket>("ticket") var ticket
}

@Suite struct `SimpleArch's names of the keychain` {
  // Row of FromSimpleArch: `@KeychainStorage(key:)`, `Codable`
  @Test func `a value is kept under a name, and read where it is used`() async throws {
    let memory = SecretsInMemory()
    try await withContractors {
      $0.secrets = Secrets([.inMemory(memory)])
    } operation: {
      #expect(try await Wallet().ticket.read() == nil)
      try await Wallet().ticket.write(Ticket(stop: "harbour", zones: 2))
      let found: Secret<Ticket>? = try await Wallet().ticket.read()
      #expect(found?.value == Ticket(stop: "harbour", zones: 2))
      #expect(!String(describing: found).contains("harbour"))
      #expect(memory.names == ["ticket"])
    }
  }

  // Row of FromSimpleArch: setting a kept value, or `nil`
  @Test func `a value is written and deleted, and each may fail`() async throws {
    let memory = SecretsInMemory()
    try await withContractors {
      $0.secrets = Secrets([.inMemory(memory)])
    } operation: {
      try await Wallet().ticket.write(Ticket(stop: "harbour", zones: 2))
      #expect(try await Wallet().ticket.delete())
      #expect(memory.names == [])
      memory.fail(with: .locked)
      await #expect(throws: SecretError.self) {
        try await Wallet().ticket.write(Ticket(stop: "station", zones: 1))
      }
    }
  }
}
