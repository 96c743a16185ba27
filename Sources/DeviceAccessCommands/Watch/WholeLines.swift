/// Lines that are written together, none of them in parts.
///
/// A pipe takes up to 4096 bytes (`PIPE_BUF`) at once or not at all, so that whoever reads it never
/// sees a part of a line that fits.
struct WholeLines {
  private static let limit = 4096

  private let output: any TextSink
  private var waiting = ""

  init(_ output: any TextSink) { self.output = output }

  /// Adds a line, with its end; writes those before it where they do not fit into one write.
  mutating func add(_ line: String) throws(OutputError) {
    if waiting.utf8.count + line.utf8.count > Self.limit { try write() }
    waiting += line
  }

  /// Writes the lines.
  mutating func write() throws(OutputError) {
    guard !waiting.isEmpty else { return }
    defer { waiting = "" }
    try output.write(waiting)
  }
}
