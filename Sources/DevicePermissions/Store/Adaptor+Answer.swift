internal import LegoKit

extension Adaptor {
  /// A publisher of the one change that an asynchronous piece of work comes to.
  func answer(
    _ work: @escaping @Sendable () async -> B.Change
  ) -> AnyPublisher<B.Change, Never> {
    Future { promise in
      Task { promise(.success(await work())) }
    }
    .eraseToAnyPublisher()
  }
}
