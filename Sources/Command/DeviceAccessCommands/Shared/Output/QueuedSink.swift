internal import Synchronization

/// A sink that queues text and forwards it when the reader is ready.
///
/// A stopped terminal (Ctrl-S) or a slow reader of a pipe therefore does not delay the rest of the
/// program.
final class QueuedSink: TextSink {
  /// A queued text.
  private struct Entry {
    var text: String
    /// The number of lines dropped before this text.
    var leftOut = 0
  }

  private struct State {
    var entries: [Entry] = []
    /// The unwritten part of the current text, which is never dropped.
    var rest: Substring = ""

    /// Removes the next part to write, along with the number of lines dropped before it.
    ///
    /// The result is `nil` if the queue is empty.
    mutating func next() -> (part: String, leftOut: Int)? {
      var leftOut = 0
      if rest.isEmpty {
        guard !entries.isEmpty else { return nil }
        let entry = entries.removeFirst()
        (rest, leftOut) = (entry.text[...], entry.leftOut)
      }
      let part = rest.part(ofBytes: QueuedSink.partLength)
      rest = rest[part.endIndex...]
      return (String(part), leftOut)
    }
  }

  /// The maximum number of queued texts; the oldest are dropped first.
  static let mostWaiting = 256
  /// The maximum size of a part in bytes, which a ready pipe accepts in one write (`PIPE_BUF`).
  static let partLength = 4096

  private let sink: any TextSink
  private let state = Mutex(State())
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init(_ sink: any TextSink) {
    self.sink = sink
    (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  var isTerminal: Bool { sink.isTerminal }
  var columns: Int? { sink.columns }

  /// Queues a text that consists of whole lines; never blocks.
  func write(_ text: String) {
    state.withLock { state in
      if state.entries.count == Self.mostWaiting {
        let oldest = state.entries.removeFirst()
        let lines = oldest.text.utf8.count { $0 == UInt8(ascii: "\n") }
        state.entries[0].leftOut += oldest.leftOut + lines
      }
      state.entries.append(Entry(text: text))
    }
    signal.yield()
  }

  /// Forwards the queued text until the task is cancelled.
  ///
  /// - Parameter report: Receives the number of dropped lines before the next line is written.
  /// - Throws: ``OutputError`` if writing fails.
  func run(reporting report: (Int) -> Void) async throws(OutputError) {
    var signals = signals.makeAsyncIterator()
    repeat {
      while hasMore {
        await sink.waitForRoom()
        guard !Task.isCancelled else { return }
        try passOn(report)
      }
    } while await signals.next() != nil
  }

  /// Writes the remaining text; may block.
  func finish(reporting report: (Int) -> Void) throws(OutputError) {
    while hasMore { try passOn(report) }
  }

  private var hasMore: Bool { state.withLock { !$0.rest.isEmpty || !$0.entries.isEmpty } }

  private func passOn(_ report: (Int) -> Void) throws(OutputError) {
    guard let (part, leftOut) = state.withLock({ $0.next() }) else { return }
    if leftOut > 0 { report(leftOut) }
    try sink.write(part)
  }
}

extension Substring {
  /// Returns the longest prefix of at most `count` bytes that does not split a character's
  /// encoding.
  fileprivate func part(ofBytes count: Int) -> Substring {
    guard var end = utf8.index(startIndex, offsetBy: count, limitedBy: endIndex) else {
      return self
    }
    // UTF-8 continuation bytes start with the bits 10.
    while end < endIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
    return self[..<end]
  }
}

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
