internal import Synchronization

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

    let lines: LineWriter

    /// Creates a publisher that prints what passes through it.
    public init(
      upstream: Upstream, prefix: String, to stream: (any TextOutputStream & Sendable)? = nil
    ) {
      self.upstream = upstream
      self.prefix = prefix
      self.stream = stream
      lines = LineWriter(prefix, to: stream)
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
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
  public func print(
    _ prefix: String = "", to stream: (any TextOutputStream & Sendable)? = nil
  ) -> Publishers.Print<Self> {
    Publishers.Print(upstream: self, prefix: prefix, to: stream)
  }
}

extension Publishers {
  /// A publisher that stops the process when a closure says so, for a debugger to look at.
  public struct Breakpoint<Upstream: Publisher>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Whether to stop at a subscription; `nil` for no.
    public let receiveSubscription: (@Sendable (any Subscription) -> Bool)?
    /// Whether to stop at a value; `nil` for no.
    public let receiveOutput: (@Sendable (Output) -> Bool)?
    /// Whether to stop at the end; `nil` for no.
    public let receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)?

    /// Creates a publisher that stops the process when a closure says so.
    @preconcurrency public init(
      upstream: Upstream,
      receiveSubscription: (@Sendable (any Subscription) -> Bool)? = nil,
      receiveOutput: (@Sendable (Output) -> Bool)? = nil,
      receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)? = nil
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.handleEvents(
        receiveSubscription: { [receiveSubscription] subscription in
          if receiveSubscription?(subscription) ?? false { Self.stop("a subscription") }
        },
        receiveOutput: { [receiveOutput] value in
          if receiveOutput?(value) ?? false { Self.stop("the value \(value)") }
        },
        receiveCompletion: { [receiveCompletion] completion in
          if receiveCompletion?(completion) ?? false { Self.stop("the end: \(completion)") }
        }
      )
      .receive(subscriber: subscriber)
    }

    static func stop(_ event: String) -> Never {
      preconditionFailure("stopped at a breakpoint, at \(event)")
    }
  }
}

extension Publisher {
  /// Stops the process when a closure answers yes, so that a debugger shows where.
  ///
  /// The process cannot go on from there. Without a debugger it ends with a trap.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Whether to stop at a subscription.
  ///   - receiveOutput: Whether to stop at a value.
  ///   - receiveCompletion: Whether to stop at the end.
  /// - Returns: A publisher of the same values.
  @preconcurrency public func breakpoint(
    receiveSubscription: (@Sendable (any Subscription) -> Bool)? = nil,
    receiveOutput: (@Sendable (Output) -> Bool)? = nil,
    receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> Publishers.Breakpoint<Self> {
    Publishers.Breakpoint(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion)
  }

  /// Stops the process at a failure, so that a debugger shows where.
  ///
  /// The process cannot go on from there. Without a debugger it ends with a trap.
  public func breakpointOnError() -> Publishers.Breakpoint<Self> {
    breakpoint(receiveCompletion: { if case .failure = $0 { true } else { false } })
  }
}

/// Where the lines of a publisher that prints go, in the order in which they come.
///
/// Who finds nobody writing writes what has come, outside the lock: a stream may be slow, and may
/// use the publisher.
final class LineWriter: Sendable {
  private struct State: Sendable {
    /// The stream, unless someone writes to it.
    var stream: (any TextOutputStream & Sendable)?
    var lines: [String] = []
    var isWriting = false

    mutating func next() -> [String] {
      isWriting = !lines.isEmpty
      defer { lines = [] }
      return lines
    }
  }

  private let prefix: String
  private let state: Mutex<State>

  /// Creates the way of lines to a stream, or to standard output.
  init(_ prefix: String, to stream: (any TextOutputStream & Sendable)?) {
    self.prefix = prefix.isEmpty ? "" : "\(prefix): "
    state = Mutex(State(stream: stream))
  }

  /// Writes a line.
  func write(_ line: String) {
    var (lines, stream) = state.withLock { state in
      state.lines.append(prefix + line)
      return state.isWriting ? ([], nil) : (state.next(), state.stream.take())
    }
    while !lines.isEmpty {
      for line in lines {
        if stream == nil { print(line) } else { stream?.write(line + "\n") }
      }
      lines = state.withLock { state in
        let lines = state.next()
        if lines.isEmpty { state.stream = stream }
        return lines
      }
    }
  }
}
