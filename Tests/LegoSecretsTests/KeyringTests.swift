import CKeyring
import Glibc
import LegoSecrets
import Testing

extension Trait where Self == ConditionTrait {
  /// Skips a test where a filter of system calls forbids keyrings, as in many containers.
  fileprivate static var requiresKeyring: Self {
    .enabled(if: ckeyring_persistent() >= 0, "the kernel refuses keyctl(2) here")
  }
}

@Suite(.requiresKeyring) struct `The kernel keyring` {
  /// Not what another run of the tests uses.
  let application = "secrets-test-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"

  var secrets: Secrets { Secrets([.kernelKeyring(application: application)]) }

  @Test func `keeps, replaces and forgets secrets`() async throws {
    #expect(try await secrets.read("user", User.self) == nil)
    #expect(try await secrets.delete("user") == false)
    #expect(try await secrets.write("user", User.mateo).description == "the kernel keyring")
    #expect(try await secrets.read("user")?.value == User.mateo)
    try await secrets.write("user", User(name: "Ana", age: 31))
    #expect(try await secrets.read("user")?.value == User(name: "Ana", age: 31))
    let other = Secrets([.kernelKeyring(application: "\(application)-other")])
    #expect(try await other.read("user", User.self) == nil)
    #expect(try await secrets.delete("user"))
    #expect(try await secrets.read("user", User.self) == nil)
  }

  @Test func `keeps 1 to 32,767 bytes, as far as the user's quota goes`() async throws {
    let bytes = [UInt8](repeating: 7, count: 12_000)
    try await secrets.write("bytes", bytes)
    #expect(try await secrets.read("bytes")?.value == bytes)
    #expect(try await secrets.delete("bytes"))
    #expect(await code { try await secrets.write("bytes", [] as [UInt8]) } == .badSize)
    let large = [UInt8](repeating: 7, count: 32_768)
    #expect(await code { try await secrets.write("bytes", large) } == .badSize)
    // Root has another quota.
    let limit = [UInt8](repeating: 7, count: 32_767)
    #expect(
      await code { try await secrets.write("bytes", limit) } == (geteuid() == 0 ? nil : .badSize))
    _ = try? await secrets.delete("bytes")
  }

  @Test func `is the same in another process`() async throws {
    try await secrets.write("token", "abc")
    let application = application
    await #expect(processExitsWith: .success) { [application = application as String] in
      let secrets = Secrets([.kernelKeyring(application: application)])
      #expect(try await secrets.read("token")?.value == "abc")
      try await secrets.write("token", "def")
    }
    #expect(try await secrets.read("token")?.value == "def")
    try await secrets.delete("token")
  }

  @Test func `serves many tasks at once`() async throws {
    let secrets = secrets
    try await withThrowingTaskGroup { group in
      for number in 0..<16 {
        group.addTask {
          for round in 0..<50 {
            try await secrets.write("number-\(number)", round)
            #expect(try await secrets.read("number-\(number)")?.value == round)
          }
          #expect(try await secrets.delete("number-\(number)"))
        }
      }
      try await group.waitForAll()
    }
  }
}
