extension Publishers {
  /// A publisher that prints what passes through it, a line for each event.
  public struct Print<Upstream: Publisher>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// What each line begins with.
    public let prefix: String
    /// Where the lines go; `nil` for standard output.
    public let stream: (any TextOutputStream & Sendable)?

    @usableFromInline let lines: PrintLines

    /// Creates a publisher that prints what passes through it.
    @inlinable public init(
      upstream: Upstream, prefix: String, to stream: (any TextOutputStream & Sendable)? = nil
    ) {
      self.upstream = upstream
      self.prefix = prefix
      self.stream = stream
      lines = PrintLines(prefix, to: stream)
    }

    /// Connects a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let lines = lines
      upstream.handleEvents(
        receiveSubscription: { lines.write("receive subscription: (\($0))") },
        receiveOutput: { lines.write("receive value: (\($0))") },
        receiveCompletion: { completion in
          switch completion {
          case .finished: lines.write("receive finished")
          case .failure(let error): lines.write("receive error: (\(error))")
          }
        },
        receiveCancel: { lines.write("receive cancel") },
        receiveRequest: { lines.write("request \($0)") }
      )
      .receive(subscriber: subscriber)
    }
  }
}

extension Publisher {
  /// Prints what passes through: the subscription, each demand, each value and the end.
  ///
  /// Lines are written one at a time and in order, whichever threads they come from, and a stream
  /// is not called under a lock. A thread may write the lines of others.
  ///
  /// - Parameters:
  ///   - prefix: What each line begins with, followed by a colon.
  ///   - stream: Where the lines go; `nil` for standard output.
  /// - Returns: A publisher of the same values.
  @inlinable public func print(
    _ prefix: String = "", to stream: (any TextOutputStream & Sendable)? = nil
  ) -> Publishers.Print<Self> {
    Publishers.Print(upstream: self, prefix: prefix, to: stream)
  }
}
