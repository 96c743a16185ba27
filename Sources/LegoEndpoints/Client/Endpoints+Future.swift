public import LegoKit

extension Endpoints {
  /// Sends an endpoint at once, and gives its answer as a future.
  ///
  /// The call runs on when nobody waits for it any more. An effect,
  /// `Effect.answer(to:)`, is cancelled with its id.
  public func future<E: Endpoint>(_ endpoint: E) -> Future<E.Answer, EndpointError> {
    Future { promise in
      Task(name: "endpoint") {
        do throws(EndpointError) {
          promise(.success(try await self.answer(to: endpoint)))
        } catch {
          promise(.failure(error))
        }
      }
    }
  }
}
