internal import AccessModel
internal import CProgramStart
internal import DeviceAccessCommands
internal import Glibc
internal import LinuxDevices

/// The process around ``DeviceAccessProgram``.
@main
struct Main {
  static func main() {
    program_handle_faults(ExitStatus.internalError.rawValue)
    // A reader that went away is an error of write(2), not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    // So is the limit of a file's size.
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
      errors: DescriptorSink(STDERR_FILENO), executor: executor,
      ending: { ProgramEnd.signals(output: $0 ? STDOUT_FILENO : nil) }, path: GrantCaller.program)
    // Not exit(3): the output is written, and nothing waits for threads that still run.
    _exit(executor.run { await program.run(arguments) }.rawValue)
  }

  /// The memory that an answer about one object takes, in MiB.
  private static let leastMemory = 4

  private static func refuse(_ reason: String) -> Never {
    try? DescriptorSink(STDERR_FILENO).write("devaccess: \(reason)\n")
    _exit(ExitStatus.internalError.rawValue)
  }

  /// The arguments that follow the program's name, which an empty vector lacks; `nil` when they
  /// are not known.
  ///
  /// Not `CommandLine.arguments`, which come from `/proc` and are repaired to be UTF-8.
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
