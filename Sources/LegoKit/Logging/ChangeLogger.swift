/// Writes each change, and what it did to the design, to a sink.
struct ChangeLogger<B: Blueprint>: Sendable {
  private let sink: LogSink

  init(to sink: LogSink) {
    self.sink = sink
  }

  /// Writes the change on one line, and below it one line for each part that became another.
  @Sendable func log(_ record: Record<B.Design, B.Change>) {
    var text = "\(B.self) #\(record.number) \(Description.of(record.change))"
    let difference = record.old.map { Difference(from: $0, to: record.design) }
    if let difference, !difference.isEmpty {
      for entry in difference.entries { text += "\n  \(entry)" }
    } else {
      text += "\n  (no difference)"
    }
    sink.write(text)
  }
}
