internal import LegoKit

/// A call to an endpoint, with all its attempts and its time limit.
struct EndpointCall: Sendable {
  let client: Endpoints
  let first: ServerRequest
  let limits: EndpointLimits
  let retry: EndpointRetry
  let success: StatusCodes

  private typealias Outcome = Result<ServerAnswer, EndpointError>

  /// Performs the call within its time limit, and reports its progress.
  func answer(
    progress: (@Sendable (EndpointProgress) -> Void)?
  ) async throws(EndpointError) -> ServerAnswer {
    guard let progress else { return try await limited(first) }
    let (stream, sink) = AsyncStream.makeStream(
      of: EndpointProgress.self, bufferingPolicy: .bufferingNewest(1))
    let outcome = await withTaskGroup(of: Void.self) { group in
      group.addTask { for await value in stream { progress(value) } }
      var request = first
      request.progress = { sink.yield($0) }
      let outcome = await captured { () throws(EndpointError) in try await limited(request) }
      sink.finish()
      return outcome
    }
    return try outcome.get()
  }

  private func limited(_ request: ServerRequest) async throws(EndpointError) -> ServerAnswer {
    guard client.transport.needsClock else { return try await attempts(request) }
    let clock = Contractors().clock
    let outcome = await withTaskGroup(of: Outcome?.self) { group in
      group.addTask {
        await captured { () throws(EndpointError) in try await attempts(request) }
      }
      group.addTask {
        try? await clock.sleep(for: limits.whole)
        return nil
      }
      var first = await group.next() ?? nil
      group.cancelAll()
      if first == nil {
        // The time limit has expired or the task was cancelled, but an answer that has just arrived
        // is still used.
        let last = await group.next() ?? nil
        if case .success? = last { first = last }
      }
      return first ?? .failure(Task.isCancelled ? cancelled : timedOut)
    }
    return try outcome.get()
  }

  private func attempts(_ request: ServerRequest) async throws(EndpointError) -> ServerAnswer {
    var number = 1
    while true {
      let wait: Duration
      do {
        return try await attempt(request)
      } catch {
        var error = error
        if error.request.isEmpty { error.request = request.printable }
        error.attempts = number
        guard let next = retry.wait(after: error, method: request.method) else { throw error }
        wait = next
      }
      do { try await Contractors().clock.sleep(for: wait) } catch { throw cancelled }
      number += 1
    }
  }

  private func attempt(_ request: ServerRequest) async throws(EndpointError) -> ServerAnswer {
    let sender = RedirectingSender(client: client, limit: limits.redirects)
    let answer = try await AuthenticatedSender(sender: sender).send(request)
    guard answer.stubbedAnswer != nil || success.contains(answer.response.status) else {
      throw EndpointError(
        .status, request.printable, "status \(answer.response.status)", response: answer.response)
    }
    return answer
  }

  private func captured(
    _ body: () async throws(EndpointError) -> ServerAnswer
  ) async -> Outcome {
    do throws(EndpointError) { return .success(try await body()) } catch { return .failure(error) }
  }

  private var cancelled: EndpointError {
    EndpointError(.cancelled, first.printable, "the task was cancelled")
  }

  private var timedOut: EndpointError {
    EndpointError(.timedOut, first.printable, "no answer within \(limits.whole)")
  }
}
