internal import LegoKit

extension Endpoints {
  /// Sends an endpoint and waits for its answer.
  ///
  /// Cancelling the task ends the call at once with `.cancelled`, and the request with it. Waits
  /// are those of the clock among the contractors.
  ///
  /// - Parameters:
  ///   - endpoint: What the server is asked.
  ///   - progress: Told how much was sent and received, one value at a time; values that come
  ///     while it works are dropped, but for the newest. It is not called after the end.
  /// - Throws: ``EndpointError``, with a code for each reason.
  /// - Returns: The answer.
  @concurrent
  public func answer<E: Endpoint>(
    to endpoint: E, progress: (@Sendable (EndpointProgress) -> Void)? = nil
  ) async throws(EndpointError) -> E.Answer {
    let limits = endpoint.limits ?? limits
    let first = try builder.request(for: endpoint, limits: limits)
    let call = EndpointCall(
      client: self, first: first, limits: limits, retry: endpoint.retry ?? retry,
      success: endpoint.success)
    let answer = try await call.answer(progress: progress)
    if let ready = answer.ready as? E.Answer { return ready }
    do { return try endpoint.answer(from: answer.response) } catch {
      throw EndpointError(
        .notDecodable, first.printable, DecodingProblem.reason(error, of: E.Answer.self),
        response: answer.response)
    }
  }
}
