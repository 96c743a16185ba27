/// What a promise holds, so that a promise that is dropped is noticed.
@usableFromInline final class FutureResolver<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline let future: Future<Output, Failure>

  @inlinable init(_ future: Future<Output, Failure>) {
    self.future = future
  }

  @inlinable deinit {
    future.settle(.abandoned)
  }

  /// Keeps the promise.
  @inlinable @Sendable func resolve(_ result: Result<Output, Failure>) {
    future.settle(.result(result))
  }
}
