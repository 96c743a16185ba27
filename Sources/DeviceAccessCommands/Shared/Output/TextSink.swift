/// Where a command's text goes.
public protocol TextSink: Sendable {
  /// Whether it is a terminal, which can show colours.
  var isTerminal: Bool { get }

  /// How many columns the terminal has; `nil` where it is none.
  var columns: Int? { get }

  /// Writes all of the text before it returns; may block.
  func write(_ text: String) throws(OutputError)
}

extension TextSink {
  public var columns: Int? { nil }
}
