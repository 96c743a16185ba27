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

  private struct State {
    var entries: [Entry] = []
    /// What is not written yet of the text that was begun, of which nothing is left out.
    var rest: Substring = ""

    /// The next part to write, and how many lines before it were left out; `nil` when none waits.
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

  /// More texts than anybody catches up with; of more, the oldest are left out.
  static let mostWaiting = 256
  /// As many bytes as a pipe with room takes at once (`PIPE_BUF`).
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

  /// Takes whole lines.
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

  private var hasMore: Bool { state.withLock { !$0.rest.isEmpty || !$0.entries.isEmpty } }

  private func passOn(_ report: (Int) -> Void) throws(OutputError) {
    guard let (part, leftOut) = state.withLock({ $0.next() }) else { return }
    if leftOut > 0 { report(leftOut) }
    try sink.write(part)
  }
}

extension Substring {
  /// As much of the beginning as a number of bytes holds, without a part of a character's encoding.
  fileprivate func part(ofBytes count: Int) -> Substring {
    guard var end = utf8.index(startIndex, offsetBy: count, limitedBy: endIndex) else {
      return self
    }
    // What continues a character begins with the bits 10.
    while end < endIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
    return self[..<end]
  }
}
