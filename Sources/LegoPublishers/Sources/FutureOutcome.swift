/// What became of a future.
@usableFromInline enum FutureOutcome<Output: Sendable, Failure: Error>: Sendable {
  /// The promise was kept.
  case result(Result<Output, Failure>)
  /// The promise was freed and can never be kept.
  case abandoned

  /// The end that subscribers are told.
  @inlinable var completion: Subscribers.Completion<Failure> {
    if case .result(.failure(let error)) = self { .failure(error) } else { .finished }
  }
}
