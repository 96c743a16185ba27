import Glibc
import LinuxTestSupport
import Testing

@testable import LegoSecrets

/// GNOME Keyring on a bus of the test.
@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .enabled(
    if: Desktop.isInstalled, "gnome-keyring-daemon, dbus-daemon and dbus-monitor are needed"))
struct `The Secret Service` {
  @Test func `keeps, replaces and forgets secrets`() async throws {
    let desktop = try await Desktop()
    try await desktop.startKeyring(unlocked: true)
    let secrets = desktop.secrets()
    #expect(try await secrets.read("user", User.self) == nil)
    #expect(try await secrets.write("user", User.ines).description == "the Secret Service")
    #expect(try await secrets.read("user")?.value == User.ines)
    try await secrets.write("user", User(name: "Ana", age: 31))
    #expect(try await secrets.read("user")?.value == User(name: "Ana", age: 31))
    let bytes: [UInt8] = [0, 255, 10, 0, 128]
    try await secrets.write("bytes", bytes)
    #expect(try await secrets.read("bytes")?.value == bytes)
    try await secrets.write("empty", "")
    #expect(try await secrets.read("empty")?.value == "")
    let long = String(repeating: "é", count: 500_000)
    try await secrets.write("long", long)
    #expect(try await secrets.read("long")?.value == long)
    #expect(try await secrets.delete("user"))
    #expect(try await secrets.delete("user") == false)
    #expect(try await secrets.read("user", User.self) == nil)
    let other = Secrets([desktop.store(application: "another-test")])
    #expect(try await other.read("bytes", [UInt8].self) == nil)
  }

  @Test func `encrypts what goes over the bus`() async throws {
    let desktop = try await Desktop()
    try await desktop.startKeyring(unlocked: true)
    let monitor = try await desktop.monitor()
    let secrets = desktop.secrets()
    try await secrets.write("token", "correct horse")
    #expect(try await secrets.read("token")?.value == "correct horse")
    #expect(await eventually { desktop.messages.contains("member=GetSecrets") })
    #expect(desktop.messages.contains("secrets-test: token"))
    #expect(!desktop.messages.contains("correct horse"))
    monitor.end()
  }

  @Test func `is locked without asking anybody, unless that is allowed`() async throws {
    let desktop = try await Desktop()
    try await desktop.startKeyring(unlocked: true)
    let secrets = desktop.secrets()
    try await secrets.write("token", "abc")
    try await desktop.startKeyring(unlocked: false)
    let monitor = try await desktop.monitor()
    #expect(
      await code { try await secrets.read("token", String.self) }
        == .locked)
    #expect(
      await code { try await secrets.read("other", String.self) }
        == .locked)
    #expect(
      await code { try await secrets.write("token", "def") }
        == .locked)
    #expect(
      await code { try await secrets.delete("token") } == .locked)
    #expect(
      await code { try await secrets.delete("other") } == .locked)
    #expect(!desktop.messages.contains("member=Prompt\n"))
    // The service has nobody to ask here, which is as if the person had dismissed the prompt.
    #expect(
      await code {
        try await secrets.read("token", String.self, prompt: .within(.seconds(100)))
      } == .locked)
    #expect(await eventually { desktop.messages.contains("member=Prompt\n") })
    monitor.end()
    try await desktop.startKeyring(unlocked: true)
    #expect(try await secrets.read("token")?.value == "abc")
  }

  @Test func `without a collection keeps nothing`() async throws {
    let desktop = try await Desktop()
    try await desktop.startKeyring(unlocked: false, isNew: true)
    for problem in [
      await error { try await desktop.secrets().read("token", String.self) },
      await error { try await desktop.secrets().write("token", "abc") },
      await error { try await desktop.secrets().delete("token") },
    ] {
      #expect(problem?.code == .unavailable)
      #expect(problem?.reason == "the Secret Service has no default collection")
    }
  }

  @Test func `that never answers is one error after its time`() async throws {
    let desktop = try await Desktop()
    try await desktop.startKeyring(unlocked: true)
    let secrets = desktop.secrets(timeout: .milliseconds(50))
    let before = OwnProcess.descriptorCount
    for stopped in [try #require(desktop.keyring), desktop.bus] {
      stopped.send(SIGSTOP)
      #expect(await code { try await secrets.read("token", String.self) } == .timedOut)
      #expect(await code { try await secrets.write("token", "abc") } == .timedOut)
      let problem = await error { try await secrets.delete("token") }
      #expect(
        problem?.description
          == "cannot delete the secret \"token\": the Secret Service did not answer within 0.05 seconds"
      )
      await withTaskGroup { group in
        for _ in 0..<20 {
          group.addTask { await code { try await secrets.read("token", String.self) } }
        }
        for await code in group { #expect(code == .timedOut) }
      }
      // What was given up ends, too.
      #expect(await eventually { OwnProcess.leftNothing(openSince: before) })
      stopped.send(SIGCONT)
    }
  }

  @Test func `that goes away meanwhile is an error, and so is its bus`() async throws {
    let desktop = try await Desktop()
    try await desktop.startKeyring(unlocked: true)
    let secrets = desktop.secrets()
    for child in [try #require(desktop.keyring), desktop.bus] {
      desktop.keyring?.send(SIGSTOP)
      let monitor = try await desktop.monitor()
      let task = Task { await code { try await secrets.read("token", String.self) } }
      #expect(await eventually { desktop.messages.contains("member=OpenSession") })
      child.send(SIGKILL)
      #expect(await task.value == .failed)
      monitor.end()
      if child !== desktop.bus { try await desktop.startKeyring(unlocked: true) }
    }
    #expect(await code { try await secrets.read("token", String.self) } == .unavailable)
  }

  @Test func `answers whoever reads while others write and delete`() async throws {
    let desktop = try await Desktop()
    try await desktop.startKeyring(unlocked: true)
    let secrets = desktop.secrets()
    try await withThrowingTaskGroup { group in
      // One that changes: GNOME Keyring itself ends when an item is replaced and removed at once.
      group.addTask {
        for round in 0..<15 {
          try await secrets.write("token", round)
          #expect(try await secrets.delete("token"))
        }
      }
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<10 {
            if let read = try await secrets.read("token", Int.self) {
              #expect((0..<15).contains(read.value ?? -1))
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `lets a task that is cancelled go`() async throws {
    let desktop = try await Desktop()
    try await desktop.startKeyring(unlocked: true)
    desktop.keyring?.send(SIGSTOP)
    let secrets = desktop.secrets(timeout: .seconds(100_000))
    let tasks = (0..<40).map { _ in
      Task {
        await code { try await secrets.read("token", String.self) }
      }
    }
    try await Task.sleep(for: .milliseconds(20))
    for task in tasks { task.cancel() }
    for task in tasks { #expect(await task.value == .cancelled) }
    desktop.keyring?.send(SIGCONT)
    #expect(try await desktop.secrets().read("token", String.self) == nil)
  }

  @Test func `is passed over where there is none`() async throws {
    let desktop = try await Desktop()
    let problem = await error {
      try await desktop.secrets().read("token", String.self)
    }
    #expect(problem?.code == .unavailable)
    #expect(
      problem?.description
        == "cannot read the secret \"token\": the Secret Service is not available (no program on the session bus provides it)"
    )
    let nowhere = Secrets([
      .secretService(
        application: "test", timeout: .seconds(100), at: "unix:path=\(desktop.folder.path("none"))")
    ])
    let second = await error {
      try await nowhere.write("token", "abc")
    }
    #expect(second?.code == .unavailable)
    #expect(second?.reason.contains("the session bus cannot be reached") == true)
    let memory = SecretsInMemory()
    try await Secrets([desktop.store(), .inMemory(memory)]).write("token", "abc")
    #expect(memory.names == ["token"])
  }

  @Test func `answers many at once, and leaves nothing open`() async throws {
    // GNOME Keyring itself has ended now and then while several asked it at once.
    for isLast in [false, false, true] {
      let desktop = try await Desktop()
      defer { withExtendedLifetime(desktop) {} }
      try await desktop.startKeyring(unlocked: true)
      do {
        return try await answersMany(desktop.secrets())
      } catch {
        guard !isLast, await eventually({ desktop.keyring?.hasEnded ?? true }) else { throw error }
      }
    }
  }

  private func answersMany(_ secrets: Secrets) async throws {
    // One after the other, because that makes it end most often.
    for number in 0..<12 { try await secrets.write("number-\(number)", number) }
    func round() async throws {
      try await withThrowingTaskGroup { group in
        for number in 0..<24 {
          group.addTask {
            let answer = try await secrets.read("number-\(number % 12)", Int.self)
            #expect(answer?.value == number % 12)
          }
        }
        try await group.waitForAll()
      }
    }
    try await round()
    let before = OwnProcess.descriptorCount
    for _ in 0..<3 { try await round() }
    #expect(await eventually { OwnProcess.leftNothing(openSince: before) })
  }
}
