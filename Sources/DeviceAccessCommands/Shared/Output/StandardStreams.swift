/// Where a command reads, answers and reports errors.
struct StandardStreams: Sendable {
  /// The file descriptor of standard input, which stays the caller's.
  let input: Int32
  let output: any TextSink
  let errors: any TextSink

  /// Writes one line to standard error; nothing can be done when that fails.
  func report(_ message: String) {
    try? errors.write("devaccess: \(message)\n")
  }
}
