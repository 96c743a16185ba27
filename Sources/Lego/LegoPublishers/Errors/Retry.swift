internal import Synchronization

extension Publishers {
  /// A publisher that resubscribes to the upstream publisher when it fails.
  public struct Retry<Upstream: Publisher>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The maximum number of retries, or `nil` for no limit.
    public let retries: Int?

    /// Creates a publisher that resubscribes to the upstream publisher when it fails.
    public init(upstream: Upstream, retries: Int?) {
      self.upstream = upstream
      self.retries = retries
    }

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let chain = OperatorRunner(subscriber, ChainMachine<Output, Failure>())
      chain.connect()
      Attempts(self, chain).start()
    }

    /// Subscribes to the upstream publisher repeatedly, until it finishes or no retries are left.
    ///
    /// If the upstream publisher fails immediately, a loop starts the next attempt, so that many
    /// retries do not need a deep stack.
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
  /// Resubscribes to this publisher each time it fails, up to the given number of times.
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, retries: retries)
  }
}
