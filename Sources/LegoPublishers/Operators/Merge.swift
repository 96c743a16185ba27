extension Publishers {
  /// A publisher that sends what several publishers of one type send.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    /// What the publishers send.
    public typealias Output = Upstream.Output
    /// How the publishers fail.
    public typealias Failure = Upstream.Failure

    /// The publishers.
    public let publishers: [Upstream]

    /// Creates a publisher of what several publishers send.
    public init(_ upstream: Upstream...) { publishers = upstream }

    /// Creates a publisher of what several publishers send.
    public init(_ upstream: some Swift.Sequence<Upstream>) { publishers = Array(upstream) }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      FlatMap(
        upstream: Sequence<[Upstream], Failure>(sequence: publishers), maxPublishers: .unlimited
      ) { $0 }
      .receive(subscriber: subscriber)
    }
  }
}

extension Publisher {
  /// Sends what another publisher sends as well.
  public func merge<P: Publisher>(with other: P)
    -> Publishers.MergeMany<AnyPublisher<Output, Failure>>
  where P.Output == Output, P.Failure == Failure {
    Publishers.MergeMany(eraseToAnyPublisher(), other.eraseToAnyPublisher())
  }

  /// Sends what two other publishers send as well.
  public func merge<P: Publisher, Q: Publisher>(with second: P, _ third: Q)
    -> Publishers.MergeMany<AnyPublisher<Output, Failure>>
  where P.Output == Output, P.Failure == Failure, Q.Output == Output, Q.Failure == Failure {
    Publishers.MergeMany(
      eraseToAnyPublisher(), second.eraseToAnyPublisher(), third.eraseToAnyPublisher())
  }
}
