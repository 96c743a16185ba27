import Glibc
import Testing

/// A program of this package, run as a process of its own.
final class Child {
  private let number: pid_t
  private let output: Int32
  private let folder: TemporaryFolder
  private var isOver = false

  /// Starts a script of the shell, in which `$bin` is the folder of the programs.
  ///
  /// What it prints and what it complains about come as one.
  ///
  /// - Parameters:
  ///   - script: The script.
  ///   - folder: What it finds as `$there`, and where the programs keep their state.
  /// - Throws: An error when it cannot be started.
  init(_ script: String, in folder: TemporaryFolder) throws {
    let programs = try #require(Self.programs, "the programs were not built beside the tests")
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe2(&ends, O_CLOEXEC) == 0)
    self.folder = folder
    output = ends[0]
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    // The signals that a shell gives: the threads of a pool block most of them, and who runs the
    // tests in the background of a script has them ignore SIGINT; a child inherits both.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let words = unsafe Self.words(["/bin/bash", "-c", script])
    let environment = unsafe Self.words([
      "bin=\(programs)", "there=\(folder.path)", "STATE_DIRECTORY=\(folder.path)",
      "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8",
    ])
    defer {
      for index in unsafe words.indices { unsafe free(words[index]) }
      for index in unsafe environment.indices { unsafe free(environment[index]) }
    }
    var number: pid_t = 0
    let failure = unsafe posix_spawn(
      &number, "/bin/bash", &actions, &attributes, words, environment)
    close(ends[1])
    self.number = number
    try #require(failure == 0)
  }

  /// Runs a script to its end.
  static func run(
    _ script: String, in folder: TemporaryFolder? = nil
  ) throws -> (output: String, status: Int32) {
    let child = try Child(script, in: folder ?? TemporaryFolder())
    var text = ""
    while let line = child.line() { text += line + "\n" }
    return (text, child.end())
  }

  /// Reads the next line, and waits for it; `nil` at the end.
  func line() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = unsafe read(output, &byte, 1)
      if count < 0, errno == EINTR { continue }
      // A line that was cut off was not printed.
      if count <= 0 { return nil }
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
  }

  /// Sends it a signal.
  func send(_ signal: Int32) { kill(number, signal) }

  /// Waits for its end.
  ///
  /// - Returns: The exit status, or 128 and the signal.
  func end() -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(number, &status, 0) < 0 && errno == EINTR {}
    isOver = true
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
  }

  deinit {
    if !isOver {
      send(SIGKILL)
      _ = end()
    }
    close(output)
  }

  /// The folder of the programs, in which the tests lie, too.
  private static var programs: String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(
      decoding: buffer[..<max(0, length)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return ([own] + CommandLine.arguments).lazy
      .map { path in path.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 } }
      .first { unsafe access($0 + "/counter-daemon", X_OK) == 0 }
  }

  private static func words(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] {
    unsafe words.map { unsafe strdup($0) } + [nil]
  }
}

// glibc declares this only with _GNU_SOURCE.
@_silgen_name("pipe2") private func pipe2(
  _ ends: UnsafeMutablePointer<Int32>, _ flags: Int32
) -> Int32
