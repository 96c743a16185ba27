internal import Synchronization

/// A sink that takes text at once, and passes it on as soon as somebody takes it.
///
/// What else a program does need not wait for a terminal that was stopped (Ctrl-S), or for the reader
/// of a pipe.
final class QueuedSink: TextSink {
  /// Text that waits.
  private struct Entry {
    var text: String
    /// How many lines before it were left out.
    var leftOut = 0
  }

  /// More texts than anybody catches up with; of more, the oldest are left out.
  static let mostWaiting = 256

  private let sink: any TextSink
  private let entries = Mutex<[Entry]>([])
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init(_ sink: any TextSink) {
    self.sink = sink
    (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  var isTerminal: Bool { sink.isTerminal }
  var columns: Int? { sink.columns }

  /// Takes whole lines.
  func write(_ text: String) {
    entries.withLock { entries in
      if entries.count == Self.mostWaiting {
        let oldest = entries.removeFirst()
        let lines = oldest.text.utf8.count { $0 == UInt8(ascii: "\n") }
        entries[0].leftOut += oldest.leftOut + lines
      }
      entries.append(Entry(text: text))
    }
    signal.yield()
  }

  /// Passes on what is taken until the task is cancelled.
  ///
  /// - Parameter report: Is told how many lines were left out, before those after them are written.
  /// - Throws: Why it cannot be written.
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

  /// Passes on what still waits, at the end; may block.
  func finish(reporting report: (Int) -> Void) throws(OutputError) {
    while hasMore { try passOn(report) }
  }

  private var hasMore: Bool { entries.withLock { !$0.isEmpty } }

  private func passOn(_ report: (Int) -> Void) throws(OutputError) {
    guard let entry = entries.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
    if entry.leftOut > 0 { report(entry.leftOut) }
    try sink.write(entry.text)
  }
}
