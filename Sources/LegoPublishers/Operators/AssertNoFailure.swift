extension Publishers {
  /// A publisher whose upstream is known never to fail; the process stops if it does.
  public struct AssertNoFailure<Upstream: Publisher>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// It cannot fail.
    public typealias Failure = Never

    /// Where the values come from.
    public let upstream: Upstream
    /// What the message of a debug build begins with.
    public let prefix: String
    /// The file that the message names.
    public let file: StaticString
    /// The line that the message names.
    public let line: UInt

    /// Creates a publisher whose upstream never fails.
    @inlinable public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      self.upstream = upstream
      self.prefix = prefix
      self.file = file
      self.line = line
    }

    /// Connects a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Never {
      upstream.mapError { [prefix, file, line] error -> Never in
        preconditionFailure("\(prefix)\(error)", file: file, line: line)
      }
      .receive(subscriber: subscriber)
    }
  }
}

extension Publisher {
  /// Says that this publisher never fails: if it does, the process ends with a trap, in a release
  /// build too.
  ///
  /// Use ``catch(_:)`` or ``replaceError(with:)`` for what can fail.
  ///
  /// - Parameters:
  ///   - prefix: What the message of a debug build begins with.
  ///   - file: The file that the message names.
  ///   - line: The line that the message names.
  /// - Returns: A publisher of the same values that cannot fail.
  @inlinable public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}
