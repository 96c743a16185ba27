/// A destination for the text that a command prints.
public protocol TextSink: Sendable {
  /// A Boolean value that indicates whether the destination is a terminal, which can show colors.
  var isTerminal: Bool { get }

  /// The width of the terminal in columns; `nil` if the destination is not a terminal.
  var columns: Int? { get }

  /// Writes or queues all of the text; may block.
  func write(_ text: String) throws(OutputError)

  /// Returns when a write would not block or would fail, or when the task is cancelled.
  func waitForRoom() async
}

extension TextSink {
  public var columns: Int? { nil }

  public func waitForRoom() async {}
}
