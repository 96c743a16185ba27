internal import Synchronization

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
      let chain = Chain(subscriber)
      chain.start(prefix) { [suffix] completion in
        if case .failure = completion { return chain.outlet.end(completion) }
        chain.start(suffix) { chain.outlet.end($0) }
      }
    }
  }
}

/// Passes on what one publisher after another sends, each asked for what is still wanted.
final class Chain<Downstream: Subscriber>: Sendable {
  let outlet: Outlet<Downstream>
  private let current = Mutex<(isOpen: Bool, stop: (@Sendable () -> Void)?)>((false, nil))
  private let request = Mutex<(@Sendable (Subscribers.Demand) -> Void)?>(nil)

  init(_ downstream: Downstream) {
    outlet = Outlet(downstream)
  }

  /// Goes on with a publisher.
  func start<P: Publisher>(
    _ publisher: P, whenEnded: @escaping @Sendable (Subscribers.Completion<P.Failure>) -> Void
  ) where P.Output == Downstream.Input {
    let inlet = Inlet<P.Output, P.Failure>(
      value: { [outlet] in outlet.send($0) }, completion: whenEnded)
    request.withLock { $0 = { inlet.request($0) } }
    let isFirst = current.withLock { current in
      current.stop = { inlet.cancel() }
      defer { current.isOpen = true }
      return !current.isOpen
    }
    if isFirst {
      outlet.open(
        .init(
          request: { [weak self] demand in self?.request.withLock { $0 }?(demand) },
          cancel: { self.stop() }))
    } else {
      inlet.request(outlet.demand)
    }
    publisher.receive(subscriber: inlet)
  }

  private func stop() {
    let stop = current.withLock { current in
      defer { current.stop = nil }
      return current.stop
    }
    request.withLock { request in
      defer { request = nil }
      return request
    }.map { withExtendedLifetime($0) {} }
    stop?()
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
}
