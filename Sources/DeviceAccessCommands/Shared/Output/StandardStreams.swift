/// Where a command reads, answers and reports errors.
struct StandardStreams: Sendable {
  /// The file descriptor of standard input, which stays the caller's.
  let input: Int32
  let output: any TextSink
  let errors: any TextSink
  /// Whether characters outside ASCII can be shown on standard error.
  var showsUnicode = true

  /// Writes one line to standard error; nothing can be done when that fails.
  ///
  /// Whoever makes the message escapes what others wrote. In other encodings than UTF-8 the bytes of a
  /// harmless character can be those of a control character, so that these go no further than here.
  func report(_ message: String) {
    let shown = showsUnicode ? message : Escaped.ascii(message)
    try? errors.write("devaccess: \(shown)\n")
  }
}
