internal import Synchronization

extension Publishers {
  /// A publisher that drops a value equal to the one before.
  public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Tells whether two values count as equal.
    public let predicate: @Sendable (Output, Output) -> Bool

    /// Creates a publisher that drops repeated values.
    public init(upstream: Upstream, predicate: @escaping @Sendable (Output, Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let last = Last()
      upstream.compactMap { [predicate] value in
        guard let old = last.exchange(value) else { return value }
        return predicate(old, value) ? nil : value
      }
      .receive(subscriber: subscriber)
    }

    /// The value before.
    private final class Last: Sendable {
      private let value = Mutex<Output?>(nil)

      func exchange(_ new: Output) -> Output? {
        value.withLock { value in
          defer { value = new }
          return value
        }
      }
    }
  }
}

extension Publisher where Output: Equatable {
  /// Drops a value equal to the one before.
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
    removeDuplicates(by: ==)
  }
}

extension Publisher {
  /// Drops a value that counts as equal to the one before.
  public func removeDuplicates(by predicate: @escaping @Sendable (Output, Output) -> Bool)
    -> Publishers.RemoveDuplicates<Self>
  {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }
}
