extension Publishers {
  /// A publisher that merges the values of any number of publishers of the same type.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    /// The output type of the publishers.
    public typealias Output = Upstream.Output
    /// The failure type of the publishers.
    public typealias Failure = Upstream.Failure

    /// The publishers to merge.
    public let publishers: [Upstream]

    /// Creates a publisher that merges the values of the given publishers.
    public init(_ upstream: Upstream...) { publishers = upstream }

    /// Creates a publisher that merges the values of the given publishers.
    public init(_ upstream: some Swift.Sequence<Upstream>) { publishers = Array(upstream) }

    /// Attaches the given subscriber to this publisher.
    @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
      FlatMap(
        upstream: Sequence<[Upstream], Failure>(sequence: publishers), maxPublishers: .unlimited
      ) { $0 }
      .receive(subscriber: subscriber)
    }
  }

  /// A publisher that merges the values of two publishers.
  public struct Merge<A: Publisher, B: Publisher>: Publisher
  where A.Output == B.Output, A.Failure == B.Failure {
    /// The output type of both publishers.
    public typealias Output = A.Output
    /// The failure type of both publishers.
    public typealias Failure = A.Failure

    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B

    /// Creates a publisher that merges the values of two publishers.
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Attaches the given subscriber to this publisher.
    @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
      MergeMany(a.eraseToAnyPublisher(), b.eraseToAnyPublisher()).receive(subscriber: subscriber)
    }
  }

  /// A publisher that merges the values of three publishers.
  public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure {
    /// The output type of the publishers.
    public typealias Output = A.Output
    /// The failure type of the publishers.
    public typealias Failure = A.Failure

    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B
    /// The third publisher.
    public let c: C

    /// Creates a publisher that merges the values of three publishers.
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// Attaches the given subscriber to this publisher.
    @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
      MergeMany(a.eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher())
        .receive(subscriber: subscriber)
    }
  }
}

extension Publisher {
  /// Merges the values of this publisher and another.
  public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Merge(self, other)
  }

  /// Merges the values of this publisher and two others.
  public func merge<P: Publisher, Q: Publisher>(with second: P, _ third: Q)
    -> Publishers.Merge3<Self, P, Q>
  where P.Output == Output, P.Failure == Failure, Q.Output == Output, Q.Failure == Failure {
    Publishers.Merge3(self, second, third)
  }
}

extension Publishers {
  /// A publisher that merges the values of four publishers.
  public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure
  {
    /// The output type of the publishers.
    public typealias Output = A.Output
    /// The failure type of the publishers.
    public typealias Failure = A.Failure

    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B
    /// The third publisher.
    public let c: C
    /// The fourth publisher.
    public let d: D

    /// Creates a publisher that merges the values of four publishers.
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
    }

    /// Attaches the given subscriber to this publisher.
    @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
      MergeMany(
        a.eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher(),
        d.eraseToAnyPublisher()
      )
      .receive(subscriber: subscriber)
    }
  }
}

extension Publisher {
  /// Merges the values of this publisher and three others.
  public func merge<P: Publisher, Q: Publisher, R: Publisher>(
    with second: P, _ third: Q, _ fourth: R
  ) -> Publishers.Merge4<Self, P, Q, R>
  where
    P.Output == Output, P.Failure == Failure, Q.Output == Output, Q.Failure == Failure,
    R.Output == Output, R.Failure == Failure
  {
    Publishers.Merge4(self, second, third, fourth)
  }
}
