/// Collects lines so that each write contains only whole lines.
///
/// A pipe accepts up to 4096 bytes (`PIPE_BUF`) in one piece, so a reader never sees part of a line
/// that is not longer.
struct WholeLines {
  private static let limit = 4096

  private let output: any TextSink
  private var waiting = ""

  init(_ output: any TextSink) { self.output = output }

  /// Adds a line, including its newline; first writes the earlier lines if one write cannot hold
  /// all.
  mutating func add(_ line: String) throws(OutputError) {
    if waiting.utf8.count + line.utf8.count > Self.limit { try write() }
    waiting += line
  }

  /// Writes the collected lines.
  mutating func write() throws(OutputError) {
    guard !waiting.isEmpty else { return }
    defer { waiting = "" }
    try output.write(waiting)
  }
}
