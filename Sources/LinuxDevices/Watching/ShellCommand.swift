package import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// A command that the shell runs, started for something that happened.
package struct ShellCommand: Sendable {
  /// The command as sh(1) takes it after `-c`.
  package let text: String

  /// The descriptor of this process that it writes to.
  private let output: Int32

  /// - Parameters:
  ///   - text: The command.
  ///   - isOutputApart: Whether what it prints goes to standard error, because a program reads standard
  ///     output.
  package init(_ text: String, outputApart isOutputApart: Bool = false) {
    self.text = text
    output = isOutputApart ? STDERR_FILENO : STDOUT_FILENO
  }

  /// Runs it, and waits until it has ended.
  ///
  /// It has this process's environment but for the variables whose names begin as those that are
  /// given do, its standard output, unless that is for a program, and its standard error, and the text
  /// as its standard input. When the task is cancelled the command goes on, and is still reaped.
  ///
  /// - Parameters:
  ///   - variables: What is added to the environment.
  ///   - prefix: What the names of the added variables begin with.
  ///   - input: What it reads.
  /// - Throws: `EAGAIN` or `ENOMEM` where no process can be started, `EMFILE`.
  /// - Returns: Its exit status, or 128 and the signal that ended it; `nil` when the task was
  ///   cancelled before.
  package func run(
    adding variables: [(name: String, value: String)], prefix: String, input: String
  ) async throws(Errno) -> Int32? {
    let process = try start(variables, prefix, ByteText(input).bytes)
    let (statuses, status) = AsyncStream.makeStream(of: Int32.self)
    Self.reap(process, into: status)
    for await status in statuses { return status }
    return nil
  }

  private func start(
    _ variables: [(name: String, value: String)], _ prefix: String, _ input: [UInt8]
  ) throws(Errno) -> pid_t {
    let bytes = input.map { CChar(truncatingIfNeeded: $0) }
    let file = try OwnedDescriptor(negated: unsafe clinux_text_file(bytes, bytes.count))
    let arguments = CStrings(["sh", "-c", text])
    let environment = CStrings(
      OwnEnvironment.variables.filter { !$0.hasPrefix(prefix) }
        + variables.map { "\($0.name)=\($0.value)" })
    let result = withExtendedLifetime((arguments, environment)) {
      unsafe clinux_start_program(
        "/bin/sh", arguments.pointers, environment.pointers, file.number, output, STDERR_FILENO)
    }
    return try Errno.check(negated: result)
  }

  /// Takes the status of a process once it has ended.
  private static func reap(_ process: pid_t, into status: AsyncStream<Int32>.Continuation) {
    let body: @Sendable () -> Void = {
      var value: Int32 = 0
      while unsafe waitpid(process, &value, 0) < 0, errno == EINTR {}
      let signal = value & 0x7F
      status.yield(signal == 0 ? value >> 8 & 0xFF : 128 + signal)
      status.finish()
    }
    // The loop keeps it until the process has ended, also when nobody waits any more.
    let box = Box()
    let isWatched: Bool
    do throws(Errno) {
      let source = DescriptorSource(
        try OwnedDescriptor(negated: clinux_process(process)), interest: CLINUX_READABLE
      ) { _, _ in
        body()
        box.registration.withLock { $0 = nil }
        return false
      }
      let registration = try EventLoop.shared.watch(source)
      box.registration.withLock { $0 = registration }
      isWatched = true
    } catch {
      isWatched = false
    }
    guard !isWatched else { return }
    // Where there is no descriptor of a process, a thread waits; without one the status is lost.
    if (try? DedicatedThread.run(body)) == nil { status.finish() }
  }

  private final class Box: Sendable {
    let registration = Mutex<WatchRegistration?>(nil)
  }
}
