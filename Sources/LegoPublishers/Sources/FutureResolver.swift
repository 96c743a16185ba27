/// What a promise holds, so that a promise that is dropped is noticed.
final class FutureResolver<Output: Sendable, Failure: Error>: Sendable {
  private let future: Future<Output, Failure>

  init(_ future: Future<Output, Failure>) {
    self.future = future
  }

  deinit {
    future.settle(.abandoned)
  }

  /// Keeps the promise.
  @Sendable func resolve(_ result: Result<Output, Failure>) {
    future.settle(.result(result))
  }
}
