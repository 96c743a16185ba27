/// A promise was dropped, or the waiting task cancelled, before there was a result.
public struct NoResultError: Error, Hashable, CustomStringConvertible {
  /// The error as text.
  public var description: String { "the future ended without a result" }
}

extension Future {
  /// Waits for the result.
  ///
  /// - Throws: The failure, or ``NoResultError`` when the promise was dropped or the waiting task
  ///   is cancelled.
  public var value: Output {
    get async throws {
      let bridge = AsyncBridge<Output, Failure>()
      receive(subscriber: bridge)
      guard let result = await bridge.next() else { throw NoResultError() }
      return try result.get()
    }
  }
}
