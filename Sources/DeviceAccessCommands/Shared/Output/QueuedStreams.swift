/// Standard streams that keep no task waiting for whoever reads them.
struct QueuedStreams: Sendable {
  private let output: QueuedSink
  private let errors: QueuedSink
  /// What is written to in their place.
  let streams: StandardStreams

  init(_ streams: StandardStreams) {
    output = QueuedSink(streams.output)
    errors = QueuedSink(streams.errors)
    self.streams = StandardStreams(
      input: streams.input, output: output, errors: errors, showsUnicode: streams.showsUnicode)
  }

  /// Passes on the output until the task is cancelled.
  ///
  /// - Throws: Why it cannot be written.
  func writeOutput() async throws(OutputError) {
    try await output.run(reporting: reportLoss)
  }

  /// Passes on the errors until the task is cancelled; nothing can be done when that fails.
  func writeErrors() async {
    while !Task.isCancelled { try? await errors.run { _ in } }
  }

  /// Writes what still waits, at the end; may block.
  func finish() {
    try? output.finish(reporting: reportLoss)
    try? errors.finish { _ in }
  }

  private func reportLoss(of count: Int) {
    streams.report(
      "the output was not read: \(count) \(count == 1 ? "line was" : "lines were") left out")
  }
}
