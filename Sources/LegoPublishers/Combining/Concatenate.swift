extension Publishers {
  /// A publisher that sends all of one publisher and then all of another.
  public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
  where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
    /// What both send.
    public typealias Output = Prefix.Output
    /// How both fail.
    public typealias Failure = Prefix.Failure

    /// The publisher that comes first.
    public let prefix: Prefix
    /// The publisher that follows it.
    public let suffix: Suffix

    /// Creates a publisher of one and then another.
    public init(prefix: Prefix, suffix: Suffix) {
      self.prefix = prefix
      self.suffix = suffix
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      OperatorRunner.start(subscriber, with: prefix) { [suffix] chain, completion in
        if case .failure = completion { return chain.complete(completion) }
        chain.advance(to: suffix) { $0.complete($1) }
      }
    }
  }
}

extension Publisher {
  /// Sends values of another publisher before its own.
  public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Concatenate(prefix: publisher, suffix: self)
  }

  /// Sends some values before its own.
  public func prepend(_ elements: Output...)
    -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self>
  {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Sends a sequence's elements before its own.
  public func prepend<S: Swift.Sequence & Sendable>(_ elements: S)
    -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where S.Element == Output
  {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Sends another publisher's values after its own.
  public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Concatenate(prefix: self, suffix: publisher)
  }

  /// Sends some values after its own.
  public func append(_ elements: Output...)
    -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>>
  {
    append(Publishers.Sequence(sequence: elements))
  }

  /// Sends a sequence's elements after its own.
  public func append<S: Swift.Sequence & Sendable>(_ elements: S)
    -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where S.Element == Output
  {
    append(Publishers.Sequence(sequence: elements))
  }
}
