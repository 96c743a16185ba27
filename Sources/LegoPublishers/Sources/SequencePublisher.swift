extension Publishers {
  /// A publisher of a sequence's elements, each sent when it is asked for.
  ///
  /// The sequence is read anew for each subscriber, and no further than one element beyond what was
  /// asked for, so that it need not have an end.
  public struct Sequence<Elements: Swift.Sequence & Sendable, Failure: Error>: Publisher
  where Elements.Element: Sendable {
    /// An element.
    public typealias Output = Elements.Element

    /// The sequence.
    public let sequence: Elements

    /// Creates a publisher of a sequence's elements.
    @inlinable public init(sequence: Elements) {
      self.sequence = sequence
    }

    /// Connects a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      IteratorSubscription.connect(sequence, to: subscriber)
    }
  }
}

extension Sequence where Self: Sendable, Element: Sendable {
  /// A publisher of the elements.
  @inlinable public var publisher: Publishers.Sequence<Self, Never> { .init(sequence: self) }
}
