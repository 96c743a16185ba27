internal import JSONText

extension Lego where B.Change: Encodable {
  /// Writes every change from now on as one line of JSON, until the token is cancelled or freed.
  ///
  /// Together with the design that the store has now, the lines are all that ``Replay`` needs.
  ///
  /// - Parameter sink: Gets one line at a time, without its end. A change that cannot be encoded
  ///   gets a line that says so, which a replay refuses.
  /// - Returns: The token.
  public func record(to sink: LogSink) -> AnyCancellable {
    token(
      for: Observer(change: { notification, _, _ in sink.write(Self.line(notification.change)) }))
  }

  private static func line(_ change: B.Change) -> String {
    do {
      return try JSONWriter.encode(change, options: .recording)
    } catch {
      return "not encoded: \(JSONQuotes.quoted("\(error)"))"
    }
  }
}
