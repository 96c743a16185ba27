/// Where a command's text goes.
public protocol TextSink: Sendable {
  /// Whether it is a terminal, which can show colours.
  var isTerminal: Bool { get }

  /// How many columns the terminal has; `nil` where it is none.
  var columns: Int? { get }

  /// Writes all of the text before it returns; may block.
  func write(_ text: String) throws(OutputError)

  /// Returns once writing need not wait, or fails, or when the task is cancelled.
  func waitForRoom() async
}

extension TextSink {
  public var columns: Int? { nil }

  public func waitForRoom() async {}
}
