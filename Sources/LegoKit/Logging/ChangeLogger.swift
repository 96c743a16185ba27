/// Writes each change, and what it did to the design, to a sink.
struct ChangeLogger<B: Blueprint>: Sendable {
  private let sink: LogSink

  init(to sink: LogSink) {
    self.sink = sink
  }

  /// Writes the change on one line, and below it one line for each part that became another.
  @Sendable func log(
    _ notification: ChangeNotification<B.Change>, _ before: B.Design?, _ after: B.Design
  ) {
    var text = "\(B.self) #\(notification.number) \(Description.of(notification.change))"
    let difference = before.map { Difference(from: $0, to: after) }
    if let difference, !difference.isEmpty {
      for entry in difference.entries { text += "\n  \(entry)" }
    } else {
      text += "\n  (no difference)"
    }
    sink.write(text)
  }
}
