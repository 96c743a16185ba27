import Foundation
import Glibc
import LegoKit
import LegoSecrets
import LinuxTestSupport
import Testing

@Suite struct `The credentials directory` {
  let folder: Folder

  init() throws { folder = try Folder() }

  var secrets: Secrets { Secrets([.credentialsDirectory(folder.path)]) }

  @Test func `gives text without the line end of an editor, bytes and JSON as they are`()
    async throws
  {
    try folder.write("token", "abc\n")
    try folder.write("two", "abc\n\n")
    try folder.write("user", #" {"name":"Ines","age":41} "#)
    try folder.write("empty", "")
    #expect(try await secrets.read("token")?.value == "abc")
    #expect(try await secrets.read("two")?.value == "abc\n")
    #expect(try await secrets.read("token")?.value == Array("abc\n".utf8))
    #expect(try await secrets.read("user")?.value == User.ines)
    #expect(try await secrets.read("empty")?.value == "")
    #expect(try await secrets.read("none", String.self) == nil)
  }

  @Test func `is never written`() async throws {
    try folder.write("token", "abc")
    #expect(await code { try await secrets.write("token", "def") } == .readOnly)
    #expect(await code { try await secrets.delete("token") } == .readOnly)
    #expect(await code { try await secrets.write("other", "def") } == .unavailable)
    #expect(await code { try await secrets.delete("other") } == .unavailable)
    #expect(folder.text("token") == "abc")
  }

  @Test func `holds at most 1 MiB in a file`() async throws {
    try folder.write("large", String(repeating: "a", count: 1 << 20))
    try folder.write("larger", String(repeating: "a", count: 1 << 20 + 1))
    #expect(try await secrets.read("large", String.self)?.value?.utf8.count == 1 << 20)
    #expect(await code { try await secrets.read("larger", String.self) } == .badSize)
  }

  @Test func `follows no link and waits for no FIFO`() async throws {
    try folder.write("token", "abc")
    try makeLink(folder.path("link"), to: Array("token".utf8))
    try SystemError.check(unsafe mkfifo(folder.path("fifo"), 0o600), "mkfifo")
    try SystemError.check(unsafe mkdir(folder.path("directory"), 0o700), "mkdir")
    for name in ["link", "fifo", "directory"] {
      let problem = await error { try await secrets.read(name, String.self) }
      #expect(problem?.code == .unreadable)
      #expect(problem?.reason.contains("not a regular file") == true)
    }
  }

  @Test func `that is not there is another answer than a file that is not`() async throws {
    try folder.write("file", "")
    for (path, word) in [
      (folder.path("none"), "not a directory"), (folder.path("file"), "not a directory"),
      ("relative", "not absolute"),
    ] {
      let secrets = Secrets([.credentialsDirectory(path)])
      let problem = await error { try await secrets.read("token", String.self) }
      #expect(problem?.code == .unavailable)
      #expect(problem?.reason.contains("the credentials directory is not available") == true)
      #expect(problem?.reason.contains(word) == true)
    }
  }

  @Test func `that may not be read is yet another answer`() async {
    await #expect(processExitsWith: .success) {
      let folder = try Folder()
      try folder.write("token", "abc")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0], ofItemAtPath: folder.path("token"))
      try SystemError.check(unsafe mkdir(folder.path("closed"), 0), "mkdir")
      if geteuid() == 0 {
        unsafe chmod(folder.path, 0o755)
        try PrivateMachine.become(user: 65_534, group: 65_534)
      }
      let secrets = Secrets([.credentialsDirectory(folder.path)])
      let file = await error { try await secrets.read("token", String.self) }
      #expect(file?.code == .unreadable)
      #expect(
        file?.description
          == "cannot read the secret \"token\": the credentials directory has it, but this process may not read it"
      )
      let hidden = Secrets([.credentialsDirectory(folder.path("closed"))])
      #expect(await code { try await hidden.read("token", String.self) } == .unreadable)
    }
  }

  @Test func `is that of the environment`() async {
    await #expect(processExitsWith: .success) {
      unsafe unsetenv("CREDENTIALS_DIRECTORY")
      unsafe unsetenv("DBUS_SESSION_BUS_ADDRESS")
      unsafe unsetenv("XDG_RUNTIME_DIR")
      let secrets = Secrets([
        .credentialsDirectory(), .secretService(application: "secrets-test"),
      ])
      let problem = await error { try await secrets.read("token", String.self) }
      #expect(problem?.code == .unavailable)
      #expect(
        problem?.reason
          == """
          the credentials directory is not available ($CREDENTIALS_DIRECTORY is not set); the Secret \
          Service is not available (neither $DBUS_SESSION_BUS_ADDRESS nor $XDG_RUNTIME_DIR names a bus)
          """)
      let folder = try Folder()
      try folder.write("token", "abc")
      unsafe setenv("CREDENTIALS_DIRECTORY", folder.path, 1)
      #expect(try await secrets.read("token")?.value == "abc")
      #expect(try await Contractors().secrets.read("token")?.value == "abc")
      unsafe setenv("DBUS_SESSION_BUS_ADDRESS", "tcp:host=localhost,port=1", 1)
      #expect(try await secrets.read("other", String.self) == nil)
      let remote = Secrets([.secretService(application: "secrets-test")])
      let second = await error { try await remote.read("token", String.self) }
      #expect(second?.code == .unavailable)
      unsafe unsetenv("DBUS_SESSION_BUS_ADDRESS")
      unsafe setenv("XDG_RUNTIME_DIR", folder.path, 1)
      let third = await error { try await remote.read("token", String.self) }
      #expect(third?.reason.contains("the session bus cannot be reached") == true)
    }
  }
}
