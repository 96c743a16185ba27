import CKeyring
import Foundation
import Testing

@testable import LegoSecrets

@Suite struct `The bytes of a secret` {
  @Test func `are overwritten when nobody holds them any more`() async {
    await #expect(processExitsWith: .success) {
      let folder = try Folder()
      // Another program makes the secret up, and this one is told it backwards.
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.currentDirectoryURL = URL(fileURLWithPath: folder.path)
      shell.arguments = ["-c", "od -An -tx8 -N 32 /dev/urandom | tr -d ' \\n' >it && rev it >ti"]
      try shell.run()
      shell.waitUntilExit()
      let reversed = try #require(folder.text("ti")).filter { $0 != "\n" }
      #expect(reversed.utf8.count == 64)
      #expect(try OwnMemory.count(ofReversed: reversed) == 0)

      let name = try SecretName("it")
      var bytes = try await CredentialsDirectory(folder.path).read(name, .never)
      #expect(bytes?.count == 64)
      #expect(try OwnMemory.count(ofReversed: reversed) == 1)
      if ckeyring_persistent() >= 0, let found = bytes {
        let keyring = KernelKeyring(application: "secrets-test-\(getpid())")
        try await keyring.write(found, .text, name, .never)
        let copy = try await keyring.read(name, .never)
        #expect(copy?.count == 64)
        #expect(try OwnMemory.count(ofReversed: reversed) == 2)
        #expect(try await keyring.delete(name, .never))
      }
      bytes = nil
      // The thread that has read them may be about to end.
      #expect(await eventually { (try? OwnMemory.count(ofReversed: reversed)) == 0 })
    }
  }

  @Test func `are overwritten where filling them fails`() throws {
    var filled: [UInt8] = [1, 2, 3]
    Wiping.wipe(&filled)
    #expect(filled == [0, 0, 0])
    #expect(throws: SecretProblem.self) {
      try unsafe SecretBytes(capacity: 3) { _ throws(SecretProblem) in
        throw SecretProblem(.failed, "cannot be read")
      }
    }
  }
}
