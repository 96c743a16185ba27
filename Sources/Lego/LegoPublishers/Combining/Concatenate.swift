extension Publishers {
  /// A publisher that sends all values of one publisher before those of another.
  public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
  where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
    /// The output type of both publishers.
    public typealias Output = Prefix.Output
    /// The failure type of both publishers.
    public typealias Failure = Prefix.Failure

    /// The publisher whose values are sent first.
    public let prefix: Prefix
    /// The publisher whose values are sent once the first publisher has finished.
    public let suffix: Suffix

    /// Creates a publisher that sends all values of one publisher before those of another.
    public init(prefix: Prefix, suffix: Suffix) {
      self.prefix = prefix
      self.suffix = suffix
    }

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      OperatorRunner.start(subscriber, with: prefix) { [suffix] chain, completion in
        if case .failure = completion { return chain.complete(completion) }
        chain.advance(to: suffix) { $0.complete($1) }
      }
    }
  }
}

extension Publisher {
  /// Sends the values of another publisher before the values of this one.
  public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Concatenate(prefix: publisher, suffix: self)
  }

  /// Sends the given values before the values of this publisher.
  public func prepend(_ elements: Output...)
    -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self>
  {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Sends the elements of a sequence before the values of this publisher.
  public func prepend<S: Swift.Sequence & Sendable>(_ elements: S)
    -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where S.Element == Output
  {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Sends the values of another publisher once this publisher has finished.
  public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Concatenate(prefix: self, suffix: publisher)
  }

  /// Sends the given values once this publisher has finished.
  public func append(_ elements: Output...)
    -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>>
  {
    append(Publishers.Sequence(sequence: elements))
  }

  /// Sends the elements of a sequence once this publisher has finished.
  public func append<S: Swift.Sequence & Sendable>(_ elements: S)
    -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where S.Element == Output
  {
    append(Publishers.Sequence(sequence: elements))
  }
}
