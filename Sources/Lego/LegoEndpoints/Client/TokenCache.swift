internal import JSONText
internal import Synchronization

/// Caches a token, and renews it if the server rejects it.
///
/// All waiting calls share one renewal.
final class TokenCache: Sendable {
  private typealias Outcome = Result<String, EndpointError>
  private typealias Continuation = CheckedContinuation<Outcome, Never>

  private struct State {
    var tokens = TokenState<Continuation>()
    var lastID = 0
    /// The IDs of calls that were cancelled before they started to wait.
    var cancelledIDs: Set<Int> = []
    /// The tasks that request a new token for waiting calls, keyed by renewal number.
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  private let state = Mutex(State())
  private let provider: @Sendable (String?) async throws -> String

  init(_ provider: @escaping @Sendable (String?) async throws -> String) {
    self.provider = provider
  }

  /// Returns the current token, or requests a new token if the current token is missing or was
  /// rejected.
  ///
  /// - Throws: `.noToken` if the closure fails, or `.cancelled` if the task is cancelled.
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
        // The task is created while the lock is held, so it is stored before it can end.
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

  /// Describes an error without revealing secrets.
  ///
  /// An ``EndpointError`` never contains secrets. Any other error might, so only its type is used.
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
    /// Wait, and start a renewal with the given number.
    case renew(Int)
  }

  /// Requests a token that differs from the rejected token.
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
  /// - Returns: The call, or `nil` if it is not waiting; and the number of the renewal if no other
  ///   call is waiting for the token.
  mutating func cancel(id: Int) -> (waiter: Waiter?, abandoned: Int?) {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return (nil, nil) }
    let waiter = waiters.remove(at: index).waiter
    guard waiters.isEmpty, let renewal else { return (waiter, nil) }
    self.renewal = nil
    return (waiter, renewal)
  }

  /// Ends a renewal with a token, or with `nil` if the renewal has failed.
  ///
  /// - Returns: The waiting calls. If the renewal was abandoned, there are none.
  mutating func finish(renewal number: Int, token: String?) -> [Waiter] {
    guard renewal == number else { return [] }
    renewal = nil
    self.token = token
    defer { waiters = [] }
    return waiters.map(\.waiter)
  }
}
