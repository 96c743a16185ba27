internal import Synchronization

extension Publishers {
  /// A connectable publisher that sends upstream values to all subscribers through a subject.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
  where SubjectType.Output == Upstream.Output, SubjectType.Failure == Upstream.Failure {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// A closure that creates the subject the first time a subscriber attaches or `connect()` is
    /// called.
    public let createSubject: @Sendable () -> SubjectType
    private let subject = Mutex<SubjectType?>(nil)

    /// Creates a connectable publisher that sends values through a subject.
    @preconcurrency public init(
      upstream: Upstream, createSubject: @escaping @Sendable () -> SubjectType
    ) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    /// Attaches the given subscriber to the subject.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      sharedSubject.receive(subscriber: subscriber)
    }

    /// Subscribes the subject to the upstream publisher.
    ///
    /// - Returns: A token that ends the subscription when it is cancelled or deallocated.
    public func connect() -> any Cancellable { upstream.subscribe(sharedSubject) }

    private var sharedSubject: SubjectType {
      if let known = subject.withLock({ $0 }) { return known }
      let new = createSubject()
      // Another thread may have created a subject in the meantime.
      return subject.withLock { subject in
        if let subject { return subject }
        subject = new
        return new
      }
    }
  }

  /// A publisher that sends no values until `connect()` is called.
  public typealias MakeConnectable<Upstream: Publisher> =
    Multicast<Upstream, PassthroughSubject<Upstream.Output, Upstream.Failure>>
}

extension Publisher {
  /// Sends values to all subscribers through a subject that the given closure creates.
  ///
  /// The returned publisher sends no values from this publisher until `connect()` is called.
  @preconcurrency public func multicast<S: Subject>(
    _ createSubject: @escaping @Sendable () -> S
  ) -> Publishers.Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Sends values to all subscribers through the given subject.
  ///
  /// The returned publisher sends no values from this publisher until `connect()` is called.
  public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    multicast { subject }
  }
}

extension Publisher where Failure == Never {
  /// Returns a publisher that sends no values until `connect()` is called.
  public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    multicast { PassthroughSubject() }
  }
}

extension Publishers {
  /// A publisher that connects when the first subscriber attaches, and disconnects when the last
  /// subscriber cancels.
  public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    private struct State: Sendable {
      var count = 0
      var isConnected = false
      var connection: (any Cancellable)?
    }

    /// The connectable publisher.
    public let upstream: Upstream
    private let state = Mutex(State())

    /// Creates a publisher that connects when the first subscriber attaches.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches the given subscriber, and connects the upstream publisher if it is not connected.
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
        // There is no need to connect again after a completion, because the upstream publisher has
        // ended.
        if isCancelling { state.isConnected = false }
        defer { state.connection = nil }
        return state.connection
      }
      if isCancelling { connection?.cancel() }
    }
  }

  /// A publisher that shares one upstream subscription among all subscribers.
  public typealias Share<Upstream: Publisher> = Autoconnect<MakeConnectable<Upstream>>
}

extension Publishers.Autoconnect: Equatable {
  /// Returns whether two publishers are the same object.
  public static func == (
    left: Publishers.Autoconnect<Upstream>, right: Publishers.Autoconnect<Upstream>
  ) -> Bool {
    left === right
  }
}

extension ConnectablePublisher {
  /// Connects when the first subscriber attaches, and disconnects when the last subscriber cancels.
  public func autoconnect() -> Publishers.Autoconnect<Self> {
    Publishers.Autoconnect(upstream: self)
  }
}

extension Publisher {
  /// Shares one subscription to this publisher among all subscribers.
  ///
  /// The subscription starts when the first subscriber attaches, and is cancelled when the last
  /// subscriber cancels. As in Combine, a subscriber that has no demand when a value is sent does
  /// not receive that value.
  public func share() -> Publishers.Share<Self> {
    multicast { PassthroughSubject() }.autoconnect()
  }
}
