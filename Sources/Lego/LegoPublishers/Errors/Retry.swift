internal import Synchronization

extension Publishers {
  /// A publisher that connects to upstream again if it fails, a limited number of times.
  public struct Retry<Upstream: Publisher>: Publisher {
    /// The output of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The maximum number of further connections, or `nil` for no limit.
    public let retries: Int?

    /// Creates a publisher that connects to upstream again if it fails.
    public init(upstream: Upstream, retries: Int?) {
      self.upstream = upstream
      self.retries = retries
    }

    /// Connects a subscriber.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let chain = OperatorRunner(subscriber, ChainMachine<Output, Failure>())
      chain.connect()
      Attempts(self, chain).start()
    }

    /// Connects repeatedly, in a loop if upstream fails at once.
    private final class Attempts<Downstream: Subscriber>: Sendable
    where Downstream.Input == Output, Downstream.Failure == Failure {
      private struct State: Sendable {
        var remaining: Int?
        var isConnecting = false
        var isWanted = false
      }

      private let upstream: Upstream
      private let chain: OperatorRunner<ChainMachine<Output, Failure>, Downstream>
      private let state: Mutex<State>

      init(_ retry: Retry, _ chain: OperatorRunner<ChainMachine<Output, Failure>, Downstream>) {
        upstream = retry.upstream
        self.chain = chain
        state = Mutex(State(remaining: retry.retries))
      }

      func start() {
        let isMine = state.withLock { state in
          state.isWanted = true
          defer { state.isConnecting = true }
          return !state.isConnecting
        }
        guard isMine else { return }
        while takeRequest() {
          chain.advance(to: upstream) { chain, completion in
            if case .failure = completion, self.mayRetry() {
              self.start()
            } else {
              chain.complete(completion)
            }
          }
        }
      }

      private func takeRequest() -> Bool {
        state.withLock { state in
          if !state.isWanted { state.isConnecting = false }
          defer { state.isWanted = false }
          return state.isWanted
        }
      }

      private func mayRetry() -> Bool {
        state.withLock { state in
          guard let remaining = state.remaining else { return true }
          if remaining > 0 { state.remaining = remaining - 1 }
          return remaining > 0
        }
      }
    }
  }
}

extension Publisher {
  /// Connects to this publisher again if it fails, up to a number of times.
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, retries: retries)
  }
}
