internal import Synchronization

/// Where the lines of a publisher that prints go, in the order in which they come.
///
/// Who finds nobody writing writes what has come, outside the lock: a stream may be slow, and may
/// use the publisher.
@usableFromInline final class PrintLines: Sendable {
  private struct State: Sendable {
    /// The stream, unless someone writes to it.
    var stream: (any TextOutputStream & Sendable)?
    var lines: [String] = []
    var isWriting = false

    mutating func next() -> [String] {
      isWriting = !lines.isEmpty
      defer { lines = [] }
      return lines
    }
  }

  private let prefix: String
  private let state: Mutex<State>

  /// Creates the way of lines to a stream, or to standard output.
  @usableFromInline init(_ prefix: String, to stream: (any TextOutputStream & Sendable)?) {
    self.prefix = prefix.isEmpty ? "" : "\(prefix): "
    state = Mutex(State(stream: stream))
  }

  /// Writes a line.
  @usableFromInline func write(_ line: String) {
    var (lines, stream) = state.withLock { state in
      state.lines.append(prefix + line)
      return state.isWriting ? ([], nil) : (state.next(), state.stream.take())
    }
    while !lines.isEmpty {
      for line in lines {
        if stream == nil { print(line) } else { stream?.write(line + "\n") }
      }
      lines = state.withLock { state in
        let lines = state.next()
        if lines.isEmpty { state.stream = stream }
        return lines
      }
    }
  }
}
