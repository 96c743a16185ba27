/// Standard streams that queue output, so writers do not wait for a slow reader.
struct QueuedStreams: Sendable {
  private let output: QueuedSink
  private let errors: QueuedSink
  /// The streams to write to instead of the original ones.
  let streams: StandardStreams

  init(_ streams: StandardStreams) {
    output = QueuedSink(streams.output)
    errors = QueuedSink(streams.errors)
    self.streams = StandardStreams(
      input: streams.input, output: output, errors: errors, showsUnicode: streams.showsUnicode)
  }

  /// Forwards the output until the task is cancelled.
  ///
  /// - Throws: ``OutputError`` if writing fails.
  func writeOutput() async throws(OutputError) {
    try await output.run(reporting: reportLoss)
  }

  /// Forwards the error messages until the task is cancelled; failed writes are ignored.
  func writeErrors() async {
    while !Task.isCancelled { try? await errors.run { _ in } }
  }

  /// Writes the text that remains in the queues; may block.
  func finish() {
    try? output.finish(reporting: reportLoss)
    try? errors.finish { _ in }
  }

  private func reportLoss(of count: Int) {
    streams.report(
      "the output was not read: \(count) \(count == 1 ? "line was" : "lines were") left out")
  }
}
