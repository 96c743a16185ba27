internal import Synchronization

extension Publishers {
  /// A publisher that sends the events of upstream through a subject, once it is connected.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
  where SubjectType.Output == Upstream.Output, SubjectType.Failure == Upstream.Failure {
    /// The output of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// Makes the subject for the first subscriber or the first connection.
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
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      sharedSubject.receive(subscriber: subscriber)
    }

    /// Connects the subject to upstream until the token is cancelled.
    public func connect() -> any Cancellable { upstream.subscribe(sharedSubject) }

    private var sharedSubject: SubjectType {
      if let known = subject.withLock({ $0 }) { return known }
      let new = createSubject()
      // Another thread may have made one in between.
      return subject.withLock { subject in
        if let subject { return subject }
        subject = new
        return new
      }
    }
  }

  /// A publisher that sends nothing before `connect()` is called.
  public typealias MakeConnectable<Upstream: Publisher> =
    Multicast<Upstream, PassthroughSubject<Upstream.Output, Upstream.Failure>>
}

extension Publisher {
  /// Sends through a subject for all subscribers, once it is connected.
  @preconcurrency public func multicast<S: Subject>(
    _ createSubject: @escaping @Sendable () -> S
  ) -> Publishers.Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Sends through a subject for all subscribers, once it is connected.
  public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    multicast { subject }
  }
}

extension Publisher where Failure == Never {
  /// Sends nothing before `connect()` is called.
  public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    multicast { PassthroughSubject() }
  }
}

extension Publishers {
  /// A publisher that connects for its first subscriber, and cancels after its last one.
  public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    /// The output of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    private struct State: Sendable {
      var count = 0
      var isConnected = false
      var connection: (any Cancellable)?
    }

    /// The publisher to connect.
    public let upstream: Upstream
    private let state = Mutex(State())

    /// Creates a publisher that connects for its first subscriber.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Connects a subscriber, and connects upstream for the first one.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
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
        // A subject that has ended does not start again.
        if isCancelling { state.isConnected = false }
        defer { state.connection = nil }
        return state.connection
      }
      if isCancelling { connection?.cancel() }
    }
  }

  /// A publisher that shares one subscription to upstream among all subscribers.
  public typealias Share<Upstream: Publisher> = Autoconnect<MakeConnectable<Upstream>>
}

extension Publishers.Autoconnect: Equatable {
  /// Returns whether both are the same publisher.
  public static func == (
    left: Publishers.Autoconnect<Upstream>, right: Publishers.Autoconnect<Upstream>
  ) -> Bool {
    left === right
  }
}

extension ConnectablePublisher {
  /// Connects for the first subscriber, and cancels after the last one.
  public func autoconnect() -> Publishers.Autoconnect<Self> {
    Publishers.Autoconnect(upstream: self)
  }
}

extension Publisher {
  /// Shares one subscription to this publisher among all subscribers.
  ///
  /// The subscription is made for the first subscriber, and cancelled after the last one. As in
  /// Combine, a subscriber without demand misses the value.
  public func share() -> Publishers.Share<Self> {
    multicast { PassthroughSubject() }.autoconnect()
  }
}
