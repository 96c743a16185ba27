/// Where a command's text goes.
public protocol TextSink: Sendable {
  /// Whether a person looks at it on a terminal, which can show colours.
  var isTerminal: Bool { get }

  /// Writes all of the text before it returns; may block.
  func write(_ text: String) throws(OutputError)
}
