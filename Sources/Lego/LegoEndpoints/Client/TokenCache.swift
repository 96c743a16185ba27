internal import JSONText
internal import Synchronization

/// Keeps a token, and requests a new one if it is refused, once for all waiting calls.
final class TokenCache: Sendable {
  private typealias Outcome = Result<String, EndpointError>
  private typealias Continuation = CheckedContinuation<Outcome, Never>

  private struct State {
    var tokens = TokenState<Continuation>()
    var lastID = 0
    /// The calls that were cancelled before they waited.
    var cancelledIDs: Set<Int> = []
    /// The renewal tasks that calls are waiting for, keyed by renewal number.
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  private let state = Mutex(State())
  private let provider: @Sendable (String?) async throws -> String

  init(_ provider: @escaping @Sendable (String?) async throws -> String) {
    self.provider = provider
  }

  /// The current token, or a new one if the current one was refused.
  ///
  /// - Throws: `.noToken` or `.cancelled`.
  func token(insteadOf refused: String?) async throws(EndpointError) -> String {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { wait(id, insteadOf: refused, $0) }
    } onCancel: {
      cancel(id)
    }
    state.withLock { _ = $0.cancelledIDs.remove(id) }
    return try outcome.get()
  }

  private func wait(_ id: Int, insteadOf refused: String?, _ continuation: Continuation) {
    let outcome = state.withLock { state -> Outcome? in
      if state.cancelledIDs.contains(id) { return .failure(Self.cancelled) }
      switch state.tokens.request(insteadOf: refused, id: id, continuation) {
      case .use(let token): return .success(token)
      case .wait: return nil
      case .renew(let number):
        // Created within the lock, so the end of the task finds it here.
        state.tasks[number] = Task(name: "token") { await self.renew(number, insteadOf: refused) }
        return nil
      }
    }
    if let outcome { continuation.resume(returning: outcome) }
  }

  private func renew(_ number: Int, insteadOf refused: String?) async {
    var outcome: Outcome
    do {
      outcome = .success(try await provider(refused))
    } catch {
      outcome = .failure(EndpointError(.noToken, "", "no token: \(Self.reason(error))"))
    }
    let waiters = state.withLock { state in
      state.tasks[number] = nil
      return state.tokens.finish(renewal: number, token: try? outcome.get())
    }
    for waiter in waiters { waiter.resume(returning: outcome) }
  }

  private func cancel(_ id: Int) {
    let (waiter, task) = state.withLock { state -> (Continuation?, Task<Void, Never>?) in
      let (waiter, abandoned) = state.tokens.cancel(id: id)
      if waiter == nil { state.cancelledIDs.insert(id) }
      return (waiter, abandoned.flatMap { state.tasks.removeValue(forKey: $0) })
    }
    task?.cancel()
    waiter?.resume(returning: .failure(Self.cancelled))
  }

  private static let cancelled = EndpointError(.cancelled, "", "the task was cancelled")

  /// Errors of endpoints contain no secrets.
  ///
  /// Other errors may, so only their type is used.
  private static func reason(_ error: any Error) -> String {
    (error as? EndpointError)?.description ?? JSONQuotes.escaped("\(type(of: error))")
  }
}

/// The current token, the renewal in progress and the waiting calls.
struct TokenState<Waiter> {
  private(set) var token: String?
  private var waiters: [(id: Int, waiter: Waiter)] = []
  /// The number of the renewal in progress.
  private var renewal: Int?
  private var renewals = 0

  /// The response to a request for a token.
  enum Answer: Equatable {
    case use(String)
    case wait
    /// Wait, and start a renewal with this number.
    case renew(Int)
  }

  /// Requests a token, other than one that was refused.
  mutating func request(insteadOf refused: String?, id: Int, _ waiter: Waiter) -> Answer {
    if let token, token != refused { return .use(token) }
    waiters.append((id, waiter))
    if renewal != nil { return .wait }
    renewals += 1
    renewal = renewals
    return .renew(renewals)
  }

  /// Removes a waiting call.
  ///
  /// - Returns: The call, and the renewal that has no waiting calls any longer.
  mutating func cancel(id: Int) -> (waiter: Waiter?, abandoned: Int?) {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return (nil, nil) }
    let waiter = waiters.remove(at: index).waiter
    guard waiters.isEmpty, let renewal else { return (waiter, nil) }
    self.renewal = nil
    return (waiter, renewal)
  }

  /// Ends a renewal.
  ///
  /// - Returns: The waiting calls; none if the renewal was abandoned.
  mutating func finish(renewal number: Int, token: String?) -> [Waiter] {
    guard renewal == number else { return [] }
    renewal = nil
    self.token = token
    defer { waiters = [] }
    return waiters.map(\.waiter)
  }
}
