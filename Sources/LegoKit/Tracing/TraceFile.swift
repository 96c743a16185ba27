internal import JSONText
internal import Synchronization

/// A trace in the form that Perfetto and Chrome open.
///
/// Changes are slices on one track, from when they were applied until everyone was told; effects
/// are slices on tracks of their own. Give ``tracer`` to a store, and write what the sink gets to
/// a file; ``finish()`` ends it, though the viewers open one that was not ended too.
public final class TraceFile: Sendable {
  private enum Progress: Sendable {
    /// Nothing was written yet.
    case ahead
    /// The file has begun, and has an entry already.
    case begun
    case finished
  }

  private struct State: Sendable {
    var progress = Progress.ahead
    var changes: [UInt64: (start: Int, name: String, root: UInt64)] = [:]
    var effects: [UInt64: (name: String, root: UInt64)] = [:]
    /// What was written and has not reached the sink yet.
    var lines: [String] = []
    /// Whether a thread hands lines to the sink.
    var isFlushing = false

    /// Takes what the sink has to get next; empty when another thread is at it, or nothing is left.
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

  /// Starts a trace.
  ///
  /// - Parameters:
  ///   - process: What the store is called in the trace.
  ///   - sink: Gets the file piece by piece, one line each.
  public init(process: String = "Lego", to sink: LogSink) {
    self.process = process
    self.sink = sink
  }

  /// The hook to give to a store.
  public var tracer: LegoTracer { LegoTracer { self.write($0) } }

  /// Ends the file; what happens later is not written any more.
  ///
  /// A thread that is writing an earlier line then writes the end, too.
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

  /// Adds lines under the lock, and hands them to the sink outside it, in their order.
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
      case .told(let number):
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

  /// Writes the beginning of the file, if it is not there.
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
