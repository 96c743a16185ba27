internal import Synchronization

extension Publishers {
  /// A publisher that prints a line for each event that passes through it.
  public struct Print<Upstream: Publisher>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The prefix of each line.
    public let prefix: String
    /// The stream to write to, or `nil` for standard output.
    public let stream: (any TextOutputStream & Sendable)?

    let lines: LineWriter

    /// Creates a publisher that prints a line for each event that passes through it.
    public init(
      upstream: Upstream, prefix: String, to stream: (any TextOutputStream & Sendable)? = nil
    ) {
      self.upstream = upstream
      self.prefix = prefix
      self.stream = stream
      lines = LineWriter(prefix, to: stream)
    }

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
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
  /// Prints a line for each event that passes through this publisher.
  ///
  /// The events are the subscription, requests, values, the completion and cancellation. Lines are
  /// written one at a time and in order, even if events occur on several threads. A thread can
  /// write lines for events that occurred on other threads. No lock is held while a thread writes
  /// to the stream.
  ///
  /// - Parameters:
  ///   - prefix: The prefix of each line. If it is not empty, it is followed by a colon.
  ///   - stream: The stream to write to, or `nil` for standard output.
  /// - Returns: A publisher that sends the same values.
  public func print(
    _ prefix: String = "", to stream: (any TextOutputStream & Sendable)? = nil
  ) -> Publishers.Print<Self> {
    Publishers.Print(upstream: self, prefix: prefix, to: stream)
  }
}

extension Publishers {
  /// A publisher that stops the process in the debugger when a closure returns `true`.
  public struct Breakpoint<Upstream: Publisher>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// A closure that returns whether to stop when the subscription arrives.
    public let receiveSubscription: (@Sendable (any Subscription) -> Bool)?
    /// A closure that returns whether to stop at the given value.
    public let receiveOutput: (@Sendable (Output) -> Bool)?
    /// A closure that returns whether to stop at the given completion.
    public let receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)?

    /// Creates a publisher that stops the process in the debugger when a closure returns `true`.
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

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
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
  /// Stops the process in the debugger when a closure returns `true`.
  ///
  /// The process cannot be resumed. If no debugger is attached, the process crashes.
  ///
  /// - Parameters:
  ///   - receiveSubscription: A closure that returns whether to stop when the subscription arrives.
  ///   - receiveOutput: A closure that returns whether to stop at the given value.
  ///   - receiveCompletion: A closure that returns whether to stop at the given completion.
  /// - Returns: A publisher that sends the same values.
  @preconcurrency public func breakpoint(
    receiveSubscription: (@Sendable (any Subscription) -> Bool)? = nil,
    receiveOutput: (@Sendable (Output) -> Bool)? = nil,
    receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> Publishers.Breakpoint<Self> {
    Publishers.Breakpoint(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion)
  }

  /// Stops the process in the debugger if this publisher fails.
  ///
  /// The process cannot be resumed. If no debugger is attached, the process crashes.
  public func breakpointOnError() -> Publishers.Breakpoint<Self> {
    breakpoint(receiveCompletion: { if case .failure = $0 { true } else { false } })
  }
}

/// Writes the lines of a `print` operator in order.
///
/// If no thread is writing, the calling thread writes all queued lines. It does so outside the
/// lock, because a stream can be slow, and can call back into the publisher.
final class LineWriter: Sendable {
  private struct State: Sendable {
    /// The stream, or `nil` while a thread is writing or if the lines go to standard output.
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

  /// Creates a writer for the given stream, or for standard output if the stream is `nil`.
  init(_ prefix: String, to stream: (any TextOutputStream & Sendable)?) {
    self.prefix = prefix.isEmpty ? "" : "\(prefix): "
    state = Mutex(State(stream: stream))
  }

  /// Writes a line, or queues it if a thread is already writing.
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
