package import Glibc

/// A process that a test starts with a shell command, and that ends along with the test.
///
/// The command ends in `exec cat`, which waits until its input is closed.
package final class ChildProcess {
  package let number: pid_t
  private var input: Int32

  package init(_ command: String) async throws {
    let ends = try PipeEnds.open()
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends.reading, 0)
    let words = ["/bin/sh", "-c", command]
    let arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    let environment: [UnsafeMutablePointer<CChar>?] = unsafe [
      strdup("PATH=/usr/bin:/bin"), strdup("MARK=here"), nil,
    ]
    defer {
      for index in unsafe arguments.indices { unsafe free(arguments[index]) }
      for index in unsafe environment.indices { unsafe free(environment[index]) }
    }
    var number: pid_t = 0
    let failure = unsafe posix_spawn(
      &number, "/bin/sh", &actions, nil, arguments, environment)
    close(ends.reading)
    input = ends.writing
    self.number = number
    guard failure == 0 else { throw SystemError(call: "posix_spawn", errno: failure) }
  }

  /// Waits until the process runs the program that the command ends in.
  package func becomes(_ name: String) async throws {
    for _ in 0..<1000 {
      var buffer = [UInt8](repeating: 0, count: 64)
      let file = unsafe open("/proc/\(number)/comm", O_RDONLY | O_CLOEXEC)
      let count = unsafe read(file, &buffer, 64)
      close(file)
      if count > 0, String(decoding: buffer.prefix(count - 1), as: UTF8.self) == name { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw SystemError(call: "the child never became \(name)", errno: 0)
  }

  /// Waits until the process is a zombie.
  package func ends() async throws {
    for _ in 0..<1000 {
      var info = unsafe siginfo_t()
      let result = unsafe waitid(P_PID, id_t(number), &info, WEXITED | WNOHANG | WNOWAIT)
      if result == 0, unsafe info.si_signo != 0 { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw SystemError(call: "the child never ended", errno: 0)
  }

  /// Ends the process and reaps it.
  package func reap() {
    guard input >= 0 else { return }
    close(input)
    input = -1
    kill(number, SIGKILL)
    waitpid(number, nil, 0)
  }

  deinit { reap() }
}
