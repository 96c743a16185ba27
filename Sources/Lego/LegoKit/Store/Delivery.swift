internal import LegoPublishers

/// Decides which thread delivers a store's queue, and which builders wait for room in the queue.
///
/// At most one thread delivers at a time. A builder that finds no thread delivering starts a
/// *session* on its thread. The changes that belong to the session are the builder's own change,
/// and those that are built on its thread while it delivers a change that belongs to the session. A
/// change that an asynchronous effect sends later does not belong to the session.
///
/// A session delivers the queue in order. It delivers any number of changes that belong to it, but
/// only a ``DeliveryShare`` of all others. When the share is used up, the session ends, and the
/// next one starts on the thread of the builder that has waited longest. If no builder is waiting,
/// the next builder or a task of the store continues, whichever comes first. While a program
/// builds, delivery therefore does not depend on a task, which may have to wait for a free thread.
///
/// Records that a session leaves in the queue do not belong to the next session, even if one of
/// them is the change of the waiting builder that takes over. They count towards the next share. A
/// builder may therefore have to hand over before it reaches its own change.
///
/// Nothing is awaited during a delivery. A build on the delivering thread is therefore made by
/// something that the delivery calls, such as an observer, an adaptor or the start of an effect.
@usableFromInline struct Delivery: Sendable {
  /// The role of a builder whose change is added to the queue.
  @usableFromInline enum Role: Sendable {
    /// The builder returns.
    ///
    /// Its change is delivered by another thread, by the store's task, or by the session that is
    /// running on its own thread.
    case leave
    /// The builder delivers the queue.
    case deliver
    /// The builder starts the store's task, which delivers the queue.
    case startTask
    /// The builder waits for room in the queue.
    case wait(WaitingBuilder)
  }

  /// The thread that continues when a session's share is used up.
  @usableFromInline enum Successor: Sendable {
    /// A waiting builder, which the caller must wake.
    case builder(WaitingBuilder)
    /// The store's task, which the caller must start, or the next builder.
    case newTask
    /// The store's task, which has already been started, or the next builder.
    case anyone
  }

  private let backlog: Backlog
  /// The thread that delivers, or `nil` if none does.
  private(set) var thread: ThreadID?
  /// The number of the current or last session, or 0 if there has been none.
  ///
  /// A record that belongs to no session has the session number 0.
  private(set) var session: UInt64 = 0
  /// A Boolean value that indicates whether the record being delivered belongs to the session.
  private var deliversOwn = true
  private var share = DeliveryShare()
  private var waiting = Queue<WaitingBuilder>()
  private var hasTask = false

  init(backlog: Backlog) {
    self.backlog = backlog
  }

  // MARK: - Building

  /// Assigns a role to a builder whose change is about to be added to the queue.
  ///
  /// - Parameters:
  ///   - thread: The builder's thread.
  ///   - count: The length of the queue, including the new change.
  ///   - mayCallObservers: `false` if the builder must neither deliver nor wait.
  /// - Returns: The session that the change belongs to, or 0 if there is none, and the builder's
  ///   role.
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

  /// Starts a session on a thread.
  mutating func begin(on thread: ThreadID) {
    self.thread = thread
    session += 1
    deliversOwn = true
    share = DeliveryShare()
  }

  // MARK: - Delivering

  /// Returns `true` if the current session may deliver the next record in the queue.
  ///
  /// A record that belongs to the session may always be delivered. Any other record takes one
  /// change from the session's share.
  ///
  /// - Parameter session: The session that the record belongs to.
  /// - Returns: `false` if the share is used up, in which case the session must hand over.
  @usableFromInline mutating func mayDeliver(from session: UInt64) -> Bool {
    deliversOwn = session == self.session
    return deliversOwn || share.take()
  }

  /// Removes and returns the waiting builders for which the queue has room.
  ///
  /// - Parameter count: The length of the queue.
  /// - Returns: The builders, which the caller must wake outside the lock.
  @usableFromInline mutating func buildersWithRoom(count: Int) -> [WaitingBuilder] {
    if waiting.isEmpty { return [] }
    var builders: [WaitingBuilder] = []
    // The changes of waiting builders are already in the queue, but do not count.
    while !waiting.isEmpty, count - waiting.count < backlog.limit, let builder = nextBuilder(.room)
    {
      builders.append(builder)
    }
    return builders
  }

  /// Ends the session after the queue has been emptied.
  @usableFromInline mutating func end() { thread = nil }

  /// Ends the session while records remain in the queue.
  ///
  /// If a builder is waiting, the next session starts on its thread.
  ///
  /// - Returns: The thread that continues.
  @usableFromInline mutating func handOver() -> Successor {
    thread = nil
    if let builder = nextBuilder(.delivery) {
      begin(on: builder.thread)
      return .builder(builder)
    }
    return claimTask() ? .newTask : .anyone
  }

  /// Starts a session for the store's task, unless the queue is empty or another thread delivers.
  ///
  /// - Returns: `false` if no session was started, in which case the task must end.
  mutating func continueTask(on thread: ThreadID, isQueueEmpty: Bool) -> Bool {
    hasTask = self.thread == nil && !isQueueEmpty
    if hasTask { begin(on: thread) }
    return hasTask
  }

  /// Marks the store's task as running.
  ///
  /// - Returns: `true` if the task was not running, in which case the caller must start it.
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

/// A session's budget for delivering changes that do not belong to it.
///
/// It is used up after 256 changes, or 200 microseconds after the second one, whichever comes
/// first.
struct DeliveryShare: Sendable {
  private static let changes = 256
  private static let duration = Duration.microseconds(200)

  private var taken = 0
  /// The time at which the share is used up, measured from ``origin``.
  ///
  /// It is stored as a duration because the layout of an instant is known only at run time.
  private var end: Duration?

  private static let origin = ContinuousClock.now

  init() {}

  /// Takes one change from the share.
  ///
  /// The first change is always allowed, so that no session ends without delivering anything.
  ///
  /// The clock is first read for the second change, because reading it takes longer than most
  /// deliveries, and most sessions take at most one change.
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
