internal import JSONText
internal import Synchronization

/// Writes the events of a store as a trace that Perfetto and Chrome can display.
///
/// Each change is a slice on a common track that shows how long its delivery took. Each effect has
/// its own track. Pass ``tracer`` to a store, and write the lines that the sink receives to a file.
/// ``finish()`` completes the file, although the viewers can also open an incomplete file.
public final class TraceFile: Sendable {
  private enum Progress: Sendable {
    /// Nothing has been written.
    case ahead
    /// At least one entry has been written.
    case begun
    case finished
  }

  private struct State: Sendable {
    var progress = Progress.ahead
    var changes: [UInt64: (start: Int, name: String, root: UInt64)] = [:]
    var effects: [UInt64: (name: String, root: UInt64)] = [:]
    /// The lines that have not yet been passed to the sink.
    var lines: [String] = []
    /// A Boolean value that indicates whether a thread is passing lines to the sink.
    var isFlushing = false

    /// Takes the lines to pass to the sink.
    ///
    /// If another thread is already passing lines, the result is empty.
    mutating func take(isContinuing: Bool) -> [String] {
      if isFlushing, !isContinuing { return [] }
      isFlushing = !lines.isEmpty
      defer { lines = [] }
      return lines
    }
  }

  private let sink: LogSink
  private let process: String
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  /// Creates a trace.
  ///
  /// - Parameters:
  ///   - process: The name of the process in the trace.
  ///   - sink: Receives the lines of the file.
  public init(process: String = "Lego", to sink: LogSink) {
    self.process = process
    self.sink = sink
  }

  /// The tracer to pass to a store.
  public var tracer: LegoTracer { LegoTracer { self.write($0) } }

  /// Completes the file.
  ///
  /// Later events are ignored. If another thread is passing lines to the sink, it also passes the
  /// end of the file, possibly after this call returns.
  public func finish() {
    change { state in
      state.lines.append("]")
      state.progress = .finished
    }
  }

  private var now: Int {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }

  /// Adds lines under the lock, and passes them to the sink outside the lock, in order.
  private func change(_ body: (inout State) -> Void) {
    var lines = state.withLock { state -> [String] in
      if state.progress == .finished { return [] }
      begin(&state)
      body(&state)
      return state.take(isContinuing: false)
    }
    while !lines.isEmpty {
      for line in lines { sink.write(line) }
      lines = state.withLock { $0.take(isContinuing: true) }
    }
  }

  private func write(_ event: LegoEvent) {
    let now = now
    change { state in
      switch event {
      case .applied(let number, let root, let change):
        state.changes[number] = (now, change, root)
      case .delivered(let number):
        guard let change = state.changes.removeValue(forKey: number) else { return }
        emit(
          &state,
          ["ph": "X", "cat": "change", "name": change.name],
          numbers: ["ts": change.start, "dur": max(1, now - change.start), "tid": 1],
          arguments: ["number": "\(number)", "root": "\(change.root)"])
      case .effectStarted(let number, let root, let name):
        let name = name ?? "effect \(number)"
        state.effects[number] = (name, root)
        emit(
          &state,
          ["ph": "b", "cat": "effect", "name": name, "id": "\(number)"],
          numbers: ["ts": now, "tid": 2], arguments: ["root": "\(root)"])
      case .effectEnded(let number, let isCancelled):
        guard let effect = state.effects.removeValue(forKey: number) else { return }
        emit(
          &state,
          ["ph": "e", "cat": "effect", "name": effect.name, "id": "\(number)"],
          numbers: ["ts": now, "tid": 2],
          arguments: ["end": isCancelled ? "cancelled" : "finished"])
      case .runaway(let cycle):
        emit(
          &state,
          ["ph": "i", "cat": "problem", "name": "runaway", "s": "p"],
          numbers: ["ts": now, "tid": 1],
          arguments: ["cycle": cycle.joined(separator: " → ")])
      }
    }
  }

  private func emit(
    _ state: inout State, _ texts: KeyValuePairs<String, String>,
    numbers: KeyValuePairs<String, Int>,
    arguments: KeyValuePairs<String, String>
  ) {
    state.lines.append("," + entry(texts, numbers, arguments))
  }

  /// Writes the beginning of the file, unless it has already been written.
  private func begin(_ state: inout State) {
    guard state.progress == .ahead else { return }
    state.progress = .begun
    state.lines.append("[")
    state.lines.append(entry(["ph": "M", "name": "process_name"], [:], ["name": process]))
  }

  private func entry(
    _ texts: KeyValuePairs<String, String>, _ numbers: KeyValuePairs<String, Int>,
    _ arguments: KeyValuePairs<String, String>
  ) -> String {
    let entry = JSONNode()
    for (key, text) in texts { entry.set(key, text: text) }
    for (key, number) in numbers { entry.set(key, number: number) }
    entry.set("pid", number: 1)
    let details = JSONNode()
    for (key, text) in arguments { details.set(key, text: text) }
    entry.set("args", node: details)
    return entry.line
  }
}
