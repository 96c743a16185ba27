internal import AccessBroker
internal import CProgramStart
internal import Glibc

/// The entry point of `devaccess-broker`, which the system bus starts to run ``BrokerProgram``.
///
/// It accepts no arguments, so a caller controls only the parameters of its one D-Bus method.
@main
struct Main {
  /// EX_USAGE and EX_SOFTWARE of sysexits.h.
  private static let (usage, failure): (Int32, Int32) = (64, 70)

  static func main() {
    program_handle_faults(failure)
    signal(SIGPIPE, SIG_IGN)
    // Make a write beyond the file size limit fail with an error as well.
    signal(SIGXFSZ, SIG_IGN)
    guard program_fill_standard_descriptors() >= 0 else { _exit(failure) }
    guard !program_is_raised() else {
      end("it must not have set-user-ID, set-group-ID or file capabilities", failure)
    }
    guard program_argument_count() <= 1 else {
      end("it takes no arguments: the system bus starts it, see devaccess-broker(8)", usage)
    }
    if let reason = BrokerProgram.run() { end(reason, failure) }
    _exit(0)
  }

  private static func end(_ reason: String, _ status: Int32) -> Never {
    let line = "devaccess-broker: \(reason)\n"
    _ = unsafe write(STDERR_FILENO, line, line.utf8.count)
    _exit(status)
  }
}
