/// The input, the output and the error output of a command.
struct StandardStreams: Sendable {
  /// The file descriptor of standard input, which the caller owns.
  let input: Int32
  let output: any TextSink
  let errors: any TextSink
  /// A Boolean value that indicates whether standard error can show characters outside ASCII.
  var showsUnicode = true

  /// Writes one line to standard error; a failed write is ignored.
  ///
  /// The caller must escape untrusted parts of the message. If the encoding is not UTF-8, this
  /// method escapes all characters outside ASCII, because their bytes could be control characters
  /// there.
  func report(_ message: String) {
    let shown = showsUnicode ? message : Escaped.ascii(message)
    try? errors.write("devaccess: \(shown)\n")
  }
}
