internal import Synchronization

extension Publishers {
  /// A publisher that connects for its first subscriber, and cancels when the last one goes.
  public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    private struct State: Sendable {
      var count = 0
      var isConnected = false
      var connection: (any Cancellable)?
    }

    /// The publisher that is connected.
    public let upstream: Upstream
    private let state = Mutex(State())

    /// Creates a publisher that connects for its first subscriber.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Connects a subscriber, and upstream if it is the first.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let isFirst = state.withLock { state in
        state.count += 1
        defer { state.isConnected = true }
        return !state.isConnected
      }
      upstream.handleEvents(
        receiveCompletion: { _ in self.leave(cancelling: false) },
        receiveCancel: { self.leave(cancelling: true) }
      )
      .receive(subscriber: subscriber)
      guard isFirst else { return }
      let connection = upstream.connect()
      let isAbandoned = state.withLock { state in
        if state.count > 0 { state.connection = connection }
        return state.count == 0
      }
      if isAbandoned { connection.cancel() }
    }

    private func leave(cancelling isCancelling: Bool) {
      let connection = state.withLock { state -> (any Cancellable)? in
        state.count -= 1
        guard state.count == 0 else { return nil }
        // A subject that has ended does not begin anew.
        if isCancelling { state.isConnected = false }
        defer { state.connection = nil }
        return state.connection
      }
      if isCancelling { connection?.cancel() }
    }
  }

  /// A publisher that subscribes to upstream once for all of its subscribers.
  public typealias Share<Upstream: Publisher> = Autoconnect<MakeConnectable<Upstream>>
}

extension Publishers.Autoconnect: Equatable {
  /// Whether both are the same publisher.
  public static func == (
    left: Publishers.Autoconnect<Upstream>, right: Publishers.Autoconnect<Upstream>
  )
    -> Bool
  {
    left === right
  }
}

extension ConnectablePublisher {
  /// Connects for the first subscriber, and cancels when the last one goes.
  public func autoconnect() -> Publishers.Autoconnect<Self> {
    Publishers.Autoconnect(upstream: self)
  }
}

extension Publisher {
  /// Shares one subscription to this publisher among all subscribers.
  ///
  /// It is made for the first subscriber and cancelled when the last one goes. As in Combine,
  /// values are sent to those that listen, and what nobody has asked for is lost.
  public func share() -> Publishers.Share<Self> {
    multicast { PassthroughSubject() }.autoconnect()
  }
}
