internal import LegoPublishers

/// Decides which thread delivers a store's queue, and which builders wait for room in the queue.
///
/// At most one thread delivers. A builder that finds no thread delivering starts a *session*: it
/// delivers its own change and everything that the change causes, without a limit. It delivers only
/// a ``DeliveryShare`` of other threads' changes. Then it hands over to the builder that has waited
/// longest. If none is waiting, the session ends with changes in the queue, and the next builder or
/// a task of the store continues, whichever comes first. While programs build, delivery therefore
/// does not depend on a task, which may have to wait for a free thread.
///
/// A build on the thread that delivers comes from what the delivery calls: an observer, an adaptor
/// or the start of an effect. Nothing is awaited during a delivery.
@usableFromInline struct Delivery: Sendable {
  /// The role of a builder whose change is added to the queue.
  @usableFromInline enum Role: Sendable {
    /// It returns.
    ///
    /// Another thread, the store's task, or the loop that called this builder delivers the change.
    case leave
    /// It delivers the queue.
    case deliver
    /// It starts the store's task, which delivers the queue.
    case startTask
    /// It waits for room in the queue.
    case wait(WaitingBuilder)
  }

  /// The thread that continues when a session has delivered its share.
  @usableFromInline enum Successor: Sendable {
    /// A waiting builder takes over delivery. The caller must wake it.
    case builder(WaitingBuilder)
    /// The store's task or the next builder continues; the task must be started.
    case newTask
    /// The store's task, which was started earlier, or the next builder continues.
    case anyone
  }

  private let backlog: Backlog
  /// The thread that delivers, or `nil` if none does.
  private(set) var thread: ThreadID?
  /// The number of the current session.
  ///
  /// A change that belongs to no session has the number 0.
  private(set) var session: UInt64 = 0
  /// A Boolean value that indicates whether the change being delivered belongs to the session.
  private var deliversOwn = true
  private var share = DeliveryShare()
  private var waiting = Queue<WaitingBuilder>()
  private var hasTask = false

  init(backlog: Backlog) {
    self.backlog = backlog
  }

  // MARK: - Building

  /// Decides what a builder does whose change is about to be added to the queue.
  ///
  /// - Parameters:
  ///   - thread: The builder's thread.
  ///   - count: The length of the queue, including the new change.
  ///   - mayCallObservers: `false` if the builder must neither deliver nor wait.
  /// - Returns: The session that the change belongs to, and what the builder does.
  @usableFromInline mutating func admit(
    from thread: ThreadID, count: Int, mayCallObservers: Bool = true
  ) -> (session: UInt64, role: Role) {
    guard let deliverer = self.thread else {
      if mayCallObservers {
        begin(on: thread)
        return (session, .deliver)
      }
      return (0, claimTask() ? .startTask : .leave)
    }
    if deliverer == thread { return (deliversOwn ? session : 0, .leave) }
    guard count > backlog.limit, mayCallObservers,
      let builder = WaitingBuilder.register(thread, for: deliverer, patience: backlog.patience)
    else { return (0, .leave) }
    waiting.append(builder)
    return (0, .wait(builder))
  }

  /// Notes that a thread delivers from now on.
  mutating func begin(on thread: ThreadID) {
    self.thread = thread
    session += 1
    deliversOwn = true
    share = DeliveryShare()
  }

  // MARK: - Delivering

  /// Takes the next change out of the session's share.
  ///
  /// - Parameter session: The session that the change belongs to.
  /// - Returns: `false` if the session has to hand over instead.
  @usableFromInline mutating func mayDeliver(from session: UInt64) -> Bool {
    deliversOwn = session == self.session
    return deliversOwn || share.take()
  }

  /// Takes the builders that the queue has room for out of the waiting list.
  ///
  /// - Parameter count: The length of the queue.
  /// - Returns: The builders, which must be woken outside the lock.
  @usableFromInline mutating func buildersWithRoom(count: Int) -> [WaitingBuilder] {
    if waiting.isEmpty { return [] }
    var builders: [WaitingBuilder] = []
    // Each waiting builder has one change in the queue beyond the limit.
    while !waiting.isEmpty, count - waiting.count < backlog.limit, let builder = nextBuilder(.room)
    {
      builders.append(builder)
    }
    return builders
  }

  /// Ends the session because the queue is empty.
  @usableFromInline mutating func end() { thread = nil }

  /// Ends the session while changes are in the queue.
  @usableFromInline mutating func handOver() -> Successor {
    thread = nil
    if let builder = nextBuilder(.delivery) {
      begin(on: builder.thread)
      return .builder(builder)
    }
    return claimTask() ? .newTask : .anyone
  }

  /// Starts a session of the store's task, unless nothing is left to deliver.
  ///
  /// - Returns: `false` if the task ends.
  mutating func continueTask(on thread: ThreadID, isQueueEmpty: Bool) -> Bool {
    hasTask = self.thread == nil && !isQueueEmpty
    if hasTask { begin(on: thread) }
    return hasTask
  }

  /// Returns `true` if the caller has to start the store's task.
  private mutating func claimTask() -> Bool {
    defer { hasTask = true }
    return !hasTask
  }

  private mutating func nextBuilder(_ end: WaitingBuilder.End) -> WaitingBuilder? {
    while let builder = waiting.popFirst() {
      if builder.finish(end) { return builder }
    }
    return nil
  }
}

/// The number of other threads' changes that one session delivers.
struct DeliveryShare: Sendable {
  private static let changes = 256
  private static let duration = Duration.microseconds(200)

  private var taken = 0
  /// The time at which the share is used up, counted from ``origin``.
  ///
  /// It is a duration, because the layout of an instant is known only at run time.
  private var end: Duration?

  private static let origin = ContinuousClock.now

  init() {}

  /// Takes one change out of the share.
  ///
  /// The first is always included. Otherwise a session might deliver nothing.
  ///
  /// The time starts with the second change, because reading the clock takes longer than most
  /// deliveries, and there is rarely a second.
  ///
  /// - Returns: `false` if the share is used up.
  mutating func take() -> Bool {
    taken += 1
    guard taken > 1 else { return true }
    guard taken <= Self.changes else { return false }
    let now = Self.origin.duration(to: .now)
    let end = end ?? now + Self.duration
    self.end = end
    return now < end
  }
}
