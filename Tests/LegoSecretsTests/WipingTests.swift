import CKeyring
import Glibc
import Testing

@testable import LegoSecrets

@Suite struct `The bytes of a secret` {
  @Test func `are overwritten when nobody holds them any more`() async {
    await #expect(processExitsWith: .success) {
      let folder = try Folder()
      // What this test knows of it, it knows backwards.
      var made = [UInt8](repeating: 0, count: 3_000)
      for index in made.indices { made[index] = UInt8.random(in: 97...122) }
      // Pieces, because memory that is free may be used again in part.
      let pieces = [500, 1_500, 2_500].map {
        String(decoding: made[$0..<$0 + 40].reversed(), as: UTF8.self)
      }
      func found() throws -> Int {
        try pieces.reduce(0) { $0 + (try OwnMemory.count(ofReversed: $1)) }
      }
      let file = unsafe open(folder.path("it"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      #expect(unsafe write(file, made, made.count) == 3_000)
      close(file)
      SecretBytes.erase(&made)
      #expect(try found() == 0)

      let name = try SecretName("it")
      var bytes = try await CredentialsDirectory(folder.path).read(name, .never)
      #expect(bytes?.count == 3_000)
      #expect(try found() == 3)
      if ckeyring_persistent() >= 0, let secret = bytes {
        let keyring = KernelKeyring(application: "secrets-test-\(getpid())")
        try await keyring.write(secret, .text, name, .never)
        let copy = try await keyring.read(name, .never)
        #expect(copy?.count == 3_000)
        #expect(try found() == 6)
        #expect(try await keyring.delete(name, .never))
      }
      bytes = nil
      // The thread that has read them may be about to end.
      #expect(await eventually { (try? found()) == 0 })
    }
  }

  @Test func `are overwritten where filling them fails`() throws {
    var filled: [UInt8] = [1, 2, 3]
    SecretBytes.erase(&filled)
    #expect(filled == [0, 0, 0])
    #expect(throws: SecretFailure.self) {
      try unsafe SecretBytes(capacity: 3) { _ throws(SecretFailure) in
        throw SecretFailure(.failed, "cannot be read")
      }
    }
  }
}
