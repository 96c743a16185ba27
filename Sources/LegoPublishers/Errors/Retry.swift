internal import Synchronization

extension Publishers {
  /// A publisher that connects to upstream anew when it fails, a limited number of times.
  public struct Retry<Upstream: Publisher>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How often it connects anew, or `nil` for as long as upstream fails.
    public let retries: Int?

    /// Creates a publisher that connects to upstream anew when it fails.
    public init(upstream: Upstream, retries: Int?) {
      self.upstream = upstream
      self.retries = retries
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let chain = OperatorRunner(subscriber, ChainMachine<Output, Failure>())
      chain.connect()
      Attempts(self, chain).start()
    }

    /// Connects again and again, in a loop where upstream fails at once.
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
  /// Connects to upstream anew when it fails, at most so many times.
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, retries: retries)
  }
}
