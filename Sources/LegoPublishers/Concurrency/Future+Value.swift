/// A promise was dropped before there was a result.
public struct NoResultError: Error, Hashable, CustomStringConvertible {
  /// The error as text.
  public var description: String { "the future ended without a result" }
}

extension Future {
  /// Waits for the result.
  ///
  /// - Throws: The failure, `CancellationError` when the waiting task is cancelled first, or
  ///   ``NoResultError`` when the promise is dropped.
  public var value: Output {
    get async throws {
      if case .result(let result) = core.outcome { return try result.get() }
      let bridge = AsyncBridge<Output, Failure>()
      receive(subscriber: bridge)
      guard let result = await bridge.next() else {
        try Task.checkCancellation()
        throw NoResultError()
      }
      return try result.get()
    }
  }
}

extension Future where Failure == Never {
  /// Waits for the value, also when the waiting task is cancelled.
  ///
  /// Without a failure there is nothing to throw: where the promise might be dropped, iterate
  /// `values` instead, which then ends. A task that waits for a dropped promise never goes on, and
  /// the runtime reports the leaked continuation.
  public var value: Output {
    get async {
      await withCheckedContinuation { continuation in
        let waiter = FutureWaiter<Output, Never>.closure { continuation.resume(returning: $0) }
        core.add(waiter).outcome.map(waiter.settle)
      }
    }
  }
}
