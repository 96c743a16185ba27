import Foundation
import Glibc
import LegoKeeping
import LegoKit
import Testing

@Suite struct `A program that is ended while it saves` {
  /// How often it is killed: more with `KEEPING_KILLS`, and elsewhere than in memory with
  /// `KEEPING_FOLDER`.
  private static let rounds =
    ProcessInfo.processInfo.environment["KEEPING_KILLS"].flatMap(Int.init) ?? 40

  @Test func `finds the last design whose save was awaited, or a later one`() async throws {
    let folder = Folder(in: ProcessInfo.processInfo.environment["KEEPING_FOLDER"] ?? "/dev/shm")
    var saved = 0
    var numbers = SystemRandomNumberGenerator()
    var kills = 0
    for _ in 0..<Self.rounds {
      let child = try KeeperProcess("save", folder.path)
      let first = try #require(child.line())
      try #require(first.hasPrefix("begins "), "\(first) after \(saved)")
      let begins = try #require(Int(first.dropFirst(7)))
      #expect(begins >= saved)
      usleep(UInt32.random(in: 0..<8_000, using: &numbers))
      child.send(SIGKILL)
      saved = begins
      while let line = child.line() { saved = try #require(Int(line)) }
      if child.end() == 128 + SIGKILL { kills += 1 }
    }
    #expect(kills == Self.rounds)
    #expect(saved > 0)
    // What the last one was writing is gone with the next store.
    let lego = Lego(.init(), blueprint: Notes(), adaptors: [Keeping("notes", in: folder.place)])
    await lego.close()
    #expect(folder.files == ["tally.json"])
    let last = try KeeperProcess("exit", folder.path)
    let first = try #require(last.line())
    #expect(Int(first.dropFirst(7)).map { $0 >= saved } == true)
    #expect(last.end() == 0)
    #expect(!folder.hidden.contains(".tally.json.part"))
    if Self.rounds > 40 { print("killed \(kills) times; \(saved) saves were awaited") }
  }

  @Test(arguments: ["exit", "leave"])
  func `saves at its end what no store had to be closed for`(mode: String) throws {
    let folder = Folder()
    for count in 0..<3 {
      let child = try KeeperProcess(mode, folder.path)
      #expect(child.line() == "begins \(count)")
      #expect(child.end() == 0)
    }
  }
}

@Suite struct `A program that ends while another one holds the lock` {
  let folder = Folder()

  private func locked() throws -> Int32 {
    try folder.make()
    let lock = unsafe open(
      folder.path(of: ".tally.json.lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    #expect(flock(lock, LOCK_EX) == 0)
    return lock
  }

  @Test func `saves as soon as it gets it`() throws {
    let lock = try locked()
    let child = try KeeperProcess("exit", folder.path)
    #expect(child.line() == "begins 0")
    usleep(300_000)
    close(lock)
    #expect(child.end() == 0)
    let next = try KeeperProcess("exit", folder.path)
    #expect(next.line() == "begins 1")
    #expect(next.end() == 0)
  }

  @Test(arguments: ["exit", "leave"])
  func `says so when it never gets it`(mode: String) throws {
    let lock = try locked()
    defer { close(lock) }
    let child = try KeeperProcess(mode, folder.path, showsErrors: true)
    #expect(child.line() == "begins 0")
    var last: String?
    while let line = child.line() { last = line }
    #expect(child.end() == 0)
    #expect(last?.contains("tally.json") == true)
    #expect(last?.hasSuffix("; not saved") == true)
    #expect(folder.files == [])
  }
}

@Suite struct `A signal that asks a program to end` {
  let folder = Folder()

  @Test(arguments: [SIGTERM, SIGINT])
  func `closes the store, and then ends the program as it would`(signal: Int32) throws {
    for count in 0..<3 {
      let child = try KeeperProcess("signal", folder.path)
      #expect(child.line() == "begins \(count)")
      #expect(child.line() == "ready")
      child.send(signal)
      #expect(child.end() == 128 + signal)
    }
  }

  @Test func `loses no output, also where the program returns from main meanwhile`() throws {
    for count in 0..<20 {
      let child = try KeeperProcess("daemon", folder.path)
      #expect(child.line() == "begins \(count)")
      #expect(child.line() == "ready")
      child.send(SIGTERM)
      var lines: [String] = []
      while let line = child.line() { lines.append(line) }
      #expect(lines.suffix(2) == ["\(count + 1)", "closed"])
      #expect(child.end() == 128 + SIGTERM)
    }
  }

  @Test func `ends it at once the second time`() throws {
    let child = try KeeperProcess("stubborn", folder.path)
    #expect(child.line() == "begins 0")
    #expect(child.line() == "ready")
    child.send(SIGINT)
    #expect(child.line() == "closing")
    child.send(SIGTERM)
    #expect(child.end() == 128 + SIGTERM)
  }

  @Test func `stays ignored where it was`() throws {
    let child = try KeeperProcess("signal", folder.path, ignoring: SIGINT)
    #expect(child.line() == "begins 0")
    #expect(child.line() == "ready")
    child.send(SIGINT)
    child.send(SIGTERM)
    #expect(child.end() == 128 + SIGTERM)
  }

  @Test func `does what it did, too, when it came just before the token went`() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      // The threads of tasks do not take signals.
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      unsafe sigaddset(&signals, SIGTERM)
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      let ending = EndingSignals.close {}
      raise(SIGTERM)
      ending.cancel()
      try await Task.sleep(for: .seconds(10))
      exit(EXIT_FAILURE)
    }
  }

  @Test func `does what it did once the token is gone`() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      let ending = EndingSignals.close { while true { try? await Task.sleep(for: .seconds(60)) } }
      ending.cancel()
      kill(getpid(), SIGTERM)
      while true { try await Task.sleep(for: .seconds(60)) }
    }
  }
}
