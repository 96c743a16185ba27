internal import AccessModel
internal import CProgramStart
internal import DeviceAccessCommands
internal import Glibc
internal import LinuxDevices

/// The entry point of `devaccess`, which runs ``DeviceAccessProgram``.
@main
struct Main {
  static func main() {
    program_handle_faults(ExitStatus.internalError.rawValue)
    // Make a write to a closed pipe fail with an error instead of terminating the process.
    signal(SIGPIPE, SIG_IGN)
    // Make a write beyond the file size limit fail with an error as well.
    signal(SIGXFSZ, SIG_IGN)
    guard program_fill_standard_descriptors() >= 0 else { _exit(ExitStatus.internalError.rawValue) }
    guard let arguments else { refuse("the system did not hand its arguments over") }
    guard !program_is_raised() else {
      refuse(
        "it must not have set-user-ID, set-group-ID or file capabilities: it would open the files "
          + "that its options name with rights that its caller lacks")
    }
    guard program_has_memory(leastMemory << 20) else {
      refuse("out of memory: it takes \(leastMemory) MiB more than it may have")
    }
    let executor = ProgramExecutor()
    let program = DeviceAccessProgram(
      environment: environment, output: DescriptorSink(STDOUT_FILENO),
      errors: DescriptorSink(STDERR_FILENO),
      ending: { ProgramEnd.signals(output: $0 ? STDOUT_FILENO : nil) },
      programPath: RunningProgram.path)
    // Do not call exit(3): all output is written, and threads that are still running need no
    // cleanup.
    _exit(executor.run { await program.run(arguments) }.rawValue)
  }

  /// The memory that an answer about one object needs, in MiB.
  private static let leastMemory = 4

  private static func refuse(_ reason: String) -> Never {
    try? DescriptorSink(STDERR_FILENO).write("devaccess: \(reason)\n")
    _exit(ExitStatus.internalError.rawValue)
  }

  /// The arguments that follow the program's name; `nil` if the system provided none, not even the
  /// name.
  ///
  /// `CommandLine.arguments` is not used, because it reads `/proc` and replaces bytes that are not
  /// UTF-8.
  private static var arguments: [String]? {
    let count = program_argument_count()
    guard count > 0 else { return nil }
    return (1..<max(1, count)).compactMap { unsafe text(program_argument($0)) }
  }

  private static var environment: [String: String] {
    var environment: [String: String] = [:]
    for name in DeviceAccessProgram.environmentNames {
      if let value = unsafe text(getenv(name)) { environment[name] = value }
    }
    return environment
  }

  private static func text(_ string: UnsafePointer<CChar>?) -> String? {
    guard let string = unsafe string else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: string, count: strlen(string))
    return unsafe ByteText(bytes: Array(bytes)).text
  }
}
