public import LegoKit

extension Effect {
  /// Sends an endpoint, and its answer or error as a change.
  ///
  /// The client is looked up when the effect runs. When the effect is cancelled, so is the request,
  /// and no change comes of it.
  ///
  /// - Parameters:
  ///   - endpoint: What the server is asked.
  ///   - client: The client, a property of `Contractors`.
  ///   - progress: Makes changes of the progress; `nil` for none.
  ///   - change: Makes a change of the answer or the error.
  /// - Returns: The effect.
  public static func answer<E: Endpoint>(
    to endpoint: E, from client: any KeyPath<Contractors, Endpoints> & Sendable = \.endpoints,
    progress: (@Sendable (EndpointProgress) -> Change)? = nil,
    _ change: @escaping @Sendable (Result<E.Answer, EndpointError>) -> Change
  ) -> Effect {
    .run(name: "endpoint") { send in
      let client = Contractors()[keyPath: client]
      let told = progress.map { change in { @Sendable value in send(change(value)) } }
      do throws(EndpointError) {
        send(change(.success(try await client.answer(to: endpoint, progress: told))))
      } catch {
        send(change(.failure(error)))
      }
    }
  }
}
