/// Which token is in force, whether another is on its way, and who waits for it.
struct TokenState<Waiter> {
  private(set) var token: String?
  private var waiters: [(ticket: Int, waiter: Waiter)] = []
  /// The number of the renewal under way.
  private var renewal: Int?
  private var renewals = 0

  /// What one who needs a token does.
  enum Step: Equatable {
    case use(String)
    case wait
    /// Wait, after the renewal with this number was started.
    case renew(Int)
  }

  /// One needs a token, other than the one that was refused.
  mutating func need(insteadOf refused: String?, ticket: Int, _ waiter: Waiter) -> Step {
    if let token, token != refused { return .use(token) }
    waiters.append((ticket, waiter))
    if renewal != nil { return .wait }
    renewals += 1
    renewal = renewals
    return .renew(renewals)
  }

  /// One does not wait any more.
  ///
  /// - Returns: Who it was, and the renewal that nobody waits for now.
  mutating func leave(ticket: Int) -> (waiter: Waiter?, abandoned: Int?) {
    guard let index = waiters.firstIndex(where: { $0.ticket == ticket }) else { return (nil, nil) }
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
