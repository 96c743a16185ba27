import Glibc
import Testing

@Suite struct `A daemon that counts` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Starts it, with a tick each millisecond.
  private func start() throws -> Child { try Child(#"exec "$bin/counter-daemon" 1"#, in: folder) }

  /// The numbers of its first line: the ticks and the lives before.
  private func beginning(of daemon: Child) throws -> (ticks: Int, lives: Int) {
    let words = try #require(daemon.line()).split(separator: " ")
    try #require(words.count == 7 && words.starts(with: ["begins", "with"]), "\(words)")
    return (try #require(Int(words[2])), try #require(Int(words[5])))
  }

  /// The number of a line about a save.
  private func saved(_ line: String) throws -> Int {
    let words = line.split(separator: " ")
    try #require(words.count == 2 && words[0] == "saved", "\(line)")
    return try #require(Int(words[1]))
  }

  @Test func `that is killed at any moment goes on with what it had saved, or later`() throws {
    var (ticks, lives) = (0, 0)
    for round in 0..<20 {
      let daemon = try start()
      let begins = try beginning(of: daemon)
      #expect(begins.ticks >= ticks && begins.lives >= lives)
      #expect(begins.lives <= round)
      // The first save has the new life, too.
      ticks = try saved(try #require(daemon.line()))
      lives = begins.lives + 1
      usleep(UInt32.random(in: 0..<6_000))
      daemon.send(SIGKILL)
      while let line = daemon.line() { ticks = try saved(line) }
      #expect(daemon.end() == 128 + SIGKILL)
    }
    #expect(ticks > 0)
    let files = try Child.run(#"ls "$there/counter-daemon""#, in: folder)
    #expect(files.output == "counter.json\n")
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `that is asked to end loses nothing, and ends by the signal`(signal: Int32) throws {
    let daemon = try start()
    #expect(try beginning(of: daemon) == (0, 0))
    // Some ticks, so that it is in the midst of its work.
    var ticks = 0
    while ticks < 5 { ticks = try saved(try #require(daemon.line())) }
    daemon.send(signal)
    while let line = daemon.line() { ticks = try saved(line) }
    #expect(daemon.end() == 128 + signal)
    let next = try start()
    let begins = try beginning(of: next)
    #expect(begins.ticks >= ticks && begins.lives == 1)
  }

  @Test(arguments: ["0", "-1", "1 2", "x"])
  func `refuses wrong arguments`(arguments: String) throws {
    let run = try Child.run(#""$bin/counter-daemon" "# + arguments)
    #expect(run.status == 64)
    #expect(run.output == "counter-daemon: usage: counter-daemon [MILLISECONDS]\n")
  }
}
