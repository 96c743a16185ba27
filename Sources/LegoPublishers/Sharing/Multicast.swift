internal import Synchronization

extension Publishers {
  /// A publisher that sends through a subject what upstream sends, once it is connected.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
  where SubjectType.Output == Upstream.Output, SubjectType.Failure == Upstream.Failure {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Makes the subject, for the first subscriber or the first connection.
    public let createSubject: @Sendable () -> SubjectType
    private let subject = Mutex<SubjectType?>(nil)

    /// Creates a publisher that sends through a subject.
    @preconcurrency public init(
      upstream: Upstream, createSubject: @escaping @Sendable () -> SubjectType
    ) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    /// Connects a subscriber to the subject.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      sharedSubject.receive(subscriber: subscriber)
    }

    /// Connects the subject to upstream, until the token is cancelled.
    public func connect() -> any Cancellable { upstream.subscribe(sharedSubject) }

    private var sharedSubject: SubjectType {
      if let known = subject.withLock({ $0 }) { return known }
      let new = createSubject()
      // Another thread may have been faster.
      return subject.withLock { subject in
        if let subject { return subject }
        subject = new
        return new
      }
    }
  }

  /// A publisher that sends nothing before it is told to connect.
  public typealias MakeConnectable<Upstream: Publisher> =
    Multicast<Upstream, PassthroughSubject<Upstream.Output, Upstream.Failure>>
}

extension Publisher {
  /// Sends through one subject, for all subscribers, once it is connected.
  @preconcurrency public func multicast<S: Subject>(
    _ createSubject: @escaping @Sendable () -> S
  ) -> Publishers.Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Sends through a subject, for all subscribers, once it is connected.
  public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    multicast { subject }
  }
}

extension Publisher where Failure == Never {
  /// Sends nothing before it is told to connect.
  public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    multicast { PassthroughSubject() }
  }
}

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
