extension Publishers {
  /// A publisher of all values of one publisher and then all values of another.
  public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
  where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
    /// The output of both publishers.
    public typealias Output = Prefix.Output
    /// The failure of both publishers.
    public typealias Failure = Prefix.Failure

    /// The first publisher.
    public let prefix: Prefix
    /// The second publisher.
    public let suffix: Suffix

    /// Creates a publisher of all values of one publisher and then all values of another.
    public init(prefix: Prefix, suffix: Suffix) {
      self.prefix = prefix
      self.suffix = suffix
    }

    /// Connects a subscriber.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      OperatorRunner.start(subscriber, with: prefix) { [suffix] chain, completion in
        if case .failure = completion { return chain.complete(completion) }
        chain.advance(to: suffix) { $0.complete($1) }
      }
    }
  }
}

extension Publisher {
  /// Sends the values of another publisher first.
  public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Concatenate(prefix: publisher, suffix: self)
  }

  /// Sends some other values first.
  public func prepend(_ elements: Output...)
    -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self>
  {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Sends the elements of a sequence first.
  public func prepend<S: Swift.Sequence & Sendable>(_ elements: S)
    -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where S.Element == Output
  {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Sends the values of another publisher after its own.
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

  /// Sends the elements of a sequence after its own.
  public func append<S: Swift.Sequence & Sendable>(_ elements: S)
    -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where S.Element == Output
  {
    append(Publishers.Sequence(sequence: elements))
  }
}
