package import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// A shell command that is run in response to an event.
package struct ShellCommand: Sendable {
  /// The command, as the argument of `sh -c`.
  package let text: String

  /// The descriptor that receives the command's standard output.
  private let output: Int32

  /// Creates a command.
  ///
  /// - Parameters:
  ///   - text: The command.
  ///   - isOutputApart: `true` to redirect the command's output to standard error, because a
  ///     program reads standard output.
  package init(_ text: String, outputApart isOutputApart: Bool = false) {
    self.text = text
    output = isOutputApart ? STDERR_FILENO : STDOUT_FILENO
  }

  /// Runs the command, and waits until it has ended.
  ///
  /// The command inherits the environment of this process, except for variables whose names begin
  /// with `prefix`. It also inherits standard error and, unless a program reads it, standard
  /// output. If the task is cancelled, the command continues, and is still reaped.
  ///
  /// - Parameters:
  ///   - variables: The variables to add to the environment.
  ///   - prefix: The prefix of the names of the added variables.
  ///   - input: The text to pass as standard input.
  /// - Returns: The exit status, or 128 plus the number of the signal that ended the command. The
  ///   result is `nil` if the task was cancelled first or the status is lost.
  /// - Throws: `EAGAIN` or `ENOMEM` if no process can be started, or `EMFILE` if no descriptor is
  ///   available.
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

  /// Reaps a process when it has ended, and sends its status.
  private static func reap(_ process: pid_t, into status: AsyncStream<Int32>.Continuation) {
    let body: @Sendable () -> Void = {
      var value: Int32 = 0
      while unsafe waitpid(process, &value, 0) < 0, errno == EINTR {}
      let signal = value & 0x7F
      status.yield(signal == 0 ? value >> 8 & 0xFF : 128 + signal)
      status.finish()
    }
    // The event loop keeps the registration until the process has ended, even if no task waits for
    // it.
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
    // If no process descriptor is available, a thread waits for the process. If no thread can be
    // started either, the status is lost.
    if (try? DedicatedThread.run(body)) == nil { status.finish() }
  }

  private final class Box: Sendable {
    let registration = Mutex<WatchRegistration?>(nil)
  }
}
