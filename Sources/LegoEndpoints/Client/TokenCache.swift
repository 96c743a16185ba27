internal import JSONText
internal import Synchronization

/// Keeps a token, and asks for another one when it is refused: once, whoever needs it.
final class TokenCache: Sendable {
  private typealias Outcome = Result<String, EndpointError>
  private typealias Continuation = CheckedContinuation<Outcome, Never>

  private struct State {
    var tokens = TokenState<Continuation>()
    var lastID = 0
    /// Those who were cancelled while they did not wait.
    var cancelledIDs: Set<Int> = []
    /// The task of each renewal that somebody waits for.
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  private let state = Mutex(State())
  private let provider: @Sendable (String?) async throws -> String

  init(_ provider: @escaping @Sendable (String?) async throws -> String) {
    self.provider = provider
  }

  /// The token in force, or a new one instead of one that was refused.
  ///
  /// - Throws: `.noToken`, or `.cancelled`.
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
        // Within the lock, so that its end finds it here.
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

  /// An error of an endpoint is safe to print; what others hold is not known.
  private static func reason(_ error: any Error) -> String {
    (error as? EndpointError)?.description ?? JSONQuotes.escaped("\(type(of: error))")
  }
}

/// Which token is in force, whether another is on its way, and who waits for it.
struct TokenState<Waiter> {
  private(set) var token: String?
  private var waiters: [(id: Int, waiter: Waiter)] = []
  /// The number of the renewal under way.
  private var renewal: Int?
  private var renewals = 0

  /// What one who needs a token does.
  enum Answer: Equatable {
    case use(String)
    case wait
    /// Wait, after the renewal with this number was started.
    case renew(Int)
  }

  /// One needs a token, other than the one that was refused.
  mutating func request(insteadOf refused: String?, id: Int, _ waiter: Waiter) -> Answer {
    if let token, token != refused { return .use(token) }
    waiters.append((id, waiter))
    if renewal != nil { return .wait }
    renewals += 1
    renewal = renewals
    return .renew(renewals)
  }

  /// One does not wait any more.
  ///
  /// - Returns: Who it was, and the renewal that nobody waits for now.
  mutating func cancel(id: Int) -> (waiter: Waiter?, abandoned: Int?) {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return (nil, nil) }
    let waiter = waiters.remove(at: index).waiter
    guard waiters.isEmpty, let renewal else { return (waiter, nil) }
    self.renewal = nil
    return (waiter, renewal)
  }

  /// A renewal ended.
  ///
  /// - Returns: Who waited for it; nobody, if it was abandoned.
  mutating func finish(renewal number: Int, token: String?) -> [Waiter] {
    guard renewal == number else { return [] }
    renewal = nil
    self.token = token
    defer { waiters = [] }
    return waiters.map(\.waiter)
  }
}
