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
      theSubject.receive(subscriber: subscriber)
    }

    /// Connects the subject to upstream, until the token is cancelled.
    public func connect() -> any Cancellable { upstream.subscribe(theSubject) }

    private var theSubject: SubjectType {
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
