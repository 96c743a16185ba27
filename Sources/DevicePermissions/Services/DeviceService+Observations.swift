public import AccessModel
internal import LinuxDevices

extension DeviceService {
  /// The facts behind an answer, again and again: at once, with every device event, and at the
  /// latest after an interval.
  ///
  /// Not everything that decides is announced to a process: logind changes access lists without
  /// an event, and so do people with chmod(1). The interval bounds how late such a change is seen.
  /// A look costs about as much as one call of ``facts(for:)``; while the consumer works on one,
  /// any number of events make one further look.
  ///
  /// - Parameters:
  ///   - question: What is asked.
  ///   - interval: How long to wait for an event, at least a millisecond.
  ///   - limit: After how long to look a last time and end; `nil` to go on until cancelled. Time
  ///     that the system sleeps counts.
  /// - Returns: A stream that fails with a `DeviceError` when nothing could be observed at all.
  public func observations(
    of question: Question, every interval: Duration = .seconds(1), for limit: Duration? = nil
  ) -> AsyncThrowingStream<AccessFacts, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: AccessFacts.self, bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      do {
        try await look(
          for: question, every: max(interval, .milliseconds(1)), limit: limit, continuation)
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  private func look(
    for question: Question, every interval: Duration, limit: Duration?,
    _ continuation: AsyncThrowingStream<AccessFacts, any Error>.Continuation
  ) async throws {
    let (signals, signal) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // Listening begins before the first look, so that no event is lost between the two. Where
    // no events can be received, as in many containers, the interval alone must do.
    let events = try? events()
    signal.yield()
    try await withThrowingTaskGroup(of: Void.self) { group in
      if let events {
        group.addTask { for await _ in events { signal.yield() } }
      }
      group.addTask { await Self.tick(signal, every: interval, limit: limit) }
      for await _ in signals { continuation.yield(try await facts(for: question)) }
      group.cancelAll()
    }
  }

  /// Signals after each interval, and ends the signals at the limit, with a last one.
  private static func tick(
    _ signal: AsyncStream<Void>.Continuation, every interval: Duration, limit: Duration?
  ) async {
    let clock = ContinuousClock()
    let start = clock.now
    while !Task.isCancelled {
      let left = limit.map { $0 - start.duration(to: clock.now) }
      if let left, left <= .zero { break }
      try? await clock.sleep(for: min(interval, left ?? interval))
      signal.yield()
    }
    signal.finish()
  }
}
