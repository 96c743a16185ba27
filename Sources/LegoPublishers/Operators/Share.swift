internal import Synchronization

extension Publishers {
  /// A publisher that subscribes to upstream once for all of its subscribers.
  ///
  /// It connects when the first subscriber comes, and cancels when the last one goes.
  public final class Share<Upstream: Publisher>: Publisher, Equatable {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    private struct State: Sendable {
      var count = 0
      var connection: AnyCancellable?
    }

    /// Where the values come from.
    public let upstream: Upstream
    private let subject = PassthroughSubject<Output, Failure>()
    private let state = Mutex(State())

    /// Creates a publisher that subscribes to upstream once.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      subject.handleEvents(receiveCancel: { self.leave() }).receive(subscriber: subscriber)
      let isFirst = state.withLock { state in
        state.count += 1
        return state.count == 1 && state.connection == nil
      }
      guard isFirst else { return }
      let connection = upstream.subscribe(subject)
      let isAbandoned = state.withLock { state in
        if state.count > 0 { state.connection = connection }
        return state.count == 0
      }
      if isAbandoned { connection.cancel() }
    }

    private func leave() {
      let connection = state.withLock { state -> AnyCancellable? in
        state.count -= 1
        guard state.count == 0 else { return nil }
        defer { state.connection = nil }
        return state.connection
      }
      connection?.cancel()
    }

    /// Whether both are the same publisher.
    public static func == (left: Share, right: Share) -> Bool { left === right }
  }
}

extension Publisher {
  /// Shares one subscription to this publisher among all subscribers.
  public func share() -> Publishers.Share<Self> { Publishers.Share(upstream: self) }
}
