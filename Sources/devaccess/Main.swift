internal import DeviceAccessCommands
internal import Glibc

/// The process around ``DeviceAccessProgram``.
@main
struct Main {
  static func main() async {
    fillStandardDescriptors()
    // A reader that went away is an error of write(2), not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    var environment: [String: String] = [:]
    for name in DeviceAccessProgram.environmentNames {
      guard let value = unsafe getenv(name) else { continue }
      environment[name] = unsafe String(cString: value)
    }
    let program = DeviceAccessProgram(
      environment: environment, output: DescriptorSink(STDOUT_FILENO),
      errors: DescriptorSink(STDERR_FILENO))
    // Not exit(3): the output is written, and nothing waits for threads that still run.
    _exit(await program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  /// Opens `/dev/null` for each standard descriptor that the parent closed.
  ///
  /// Otherwise the next file that is opened takes its number, and answers are written there.
  private static func fillStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // open(2) answers the lowest free number, which is this one.
      _ = unsafe open("/dev/null", O_RDWR)
    }
  }
}
