/// Who tells a store's changes, who waits, and whose changes they are.
///
/// Changes are told by one thread at a time, the *teller*, which holds the store's turn:
///
/// | turn | meaning | a build |
/// |---|---|---|
/// | free | nothing waits to be told | takes the turn and tells its change |
/// | taken | a thread tells, the queue is empty | puts its change into the queue |
/// | wanted | a thread tells, changes wait | the same, and waits if they are too many |
/// | offered | changes wait, nobody tells | the same, and takes the turn |
///
/// A teller tells its own change and all that it causes, however much that is. Of what others have
/// built it tells a ``Share``, so that nobody is kept by others. Then it passes the turn on to the
/// first builder that waits, or else offers it: whoever builds next takes it, or a task of the
/// store, which is started for that. So no turn depends on a task that may find no thread.
///
/// What is whose is seen by the thread: nothing is awaited while changes are told, so that a build on
/// the teller's thread is one of its observers or adaptors, and a build on another thread is not.
@usableFromInline struct Tellers: Sendable {
  /// Whose change it is that waits in the queue.
  @usableFromInline enum Origin: UInt8, Sendable {
    case own, other
  }

  private let backlog: Backlog
  private var waiting = Queue<WaitingBuilder>()
  /// The thread that tells; what a free turn leaves here means nothing.
  @usableFromInline private(set) var thread = ThreadID.none
  /// Whether the change being told was caused by its teller's own build.
  @usableFromInline private(set) var isTellingOwn = true
  /// Whether a build of another thread has come, or the turn was passed on, since the queue was
  /// empty.
  @usableFromInline private(set) var hasSeenOthers = false
  /// Grows when the turn is passed on: what is in the queue then is nobody's own.
  @usableFromInline private(set) var term: UInt64 = 0
  private(set) var isOffered = false
  /// Whether a task of the store is on its way to take an offered turn.
  private var isHelperUnderWay = false

  init(backlog: Backlog) {
    self.backlog = backlog
  }

  // MARK: - The builder's side

  /// Notes that a builder found the turn free, and tells its own change.
  @inlinable @inline(__always) mutating func beginTurn(on thread: ThreadID) {
    isTellingOwn = true
    self.thread = thread
  }

  /// Whether a thread is the one that tells.
  @usableFromInline func isTelling(_ thread: ThreadID) -> Bool {
    thread == self.thread && !isOffered
  }

  /// Whose a change is that comes into the queue.
  @usableFromInline mutating func origin(from thread: ThreadID) -> Origin {
    if isTelling(thread) { return isTellingOwn ? .own : .other }
    hasSeenOthers = true
    return .other
  }

  /// What a builder does whose change is in the queue now.
  ///
  /// - Parameters:
  ///   - thread: Its thread.
  ///   - count: How many changes are in the queue.
  /// - Returns: What it does.
  @usableFromInline mutating func arrive(from thread: ThreadID, count: Int) -> Arrival {
    if isOffered {
      isOffered = false
      self.thread = thread
      return .tell
    }
    guard count > backlog.limit, thread != self.thread,
      let builder = WaitingBuilder(thread, for: self.thread, patience: backlog.patience)
    else { return .leave }
    waiting.append(builder)
    return .wait(builder)
  }

  /// What a builder does whose change is in the queue.
  @usableFromInline enum Arrival: Sendable {
    /// The teller tells it.
    case leave
    /// The builder is the teller now.
    case tell
    /// It waits.
    case wait(WaitingBuilder)
  }

  // MARK: - The teller's side

  /// Notes which thread tells what is in the queue.
  @inlinable mutating func resumeTurn(on thread: ThreadID) { self.thread = thread }

  /// Whether the teller may tell the first change in the queue.
  @usableFromInline func mayTell(_ origin: Origin, of term: UInt64, _ share: inout Share) -> Bool {
    isOwn(origin, of: term) || share.take()
  }

  private func isOwn(_ origin: Origin, of term: UInt64) -> Bool {
    origin == .own && term == self.term
  }

  /// Notes that a change leaves the queue and is told from now on.
  ///
  /// - Parameters:
  ///   - origin: Whose it is.
  ///   - term: The term in which it came.
  ///   - count: How many changes are left.
  ///   - waking: The builders who may go on.
  @usableFromInline mutating func tell(
    _ origin: Origin, of term: UInt64, leaving count: Int, _ waking: inout [WaitingBuilder]
  ) {
    isTellingOwn = isOwn(origin, of: term)
    // Each that waits has one change in the queue beyond the limit.
    while !waiting.isEmpty, count - waiting.count < backlog.limit, let builder = nextBuilder(.room)
    {
      waking.append(builder)
    }
  }

  /// Notes that the queue is empty, and that a build which comes from now on says so.
  @usableFromInline mutating func forgetOthers() { hasSeenOthers = false }

  /// Passes the turn on.
  @usableFromInline mutating func passOn() -> Successor {
    term += 1
    hasSeenOthers = true
    thread = .none
    isTellingOwn = false
    if let builder = nextBuilder(.turn) { return .builder(builder) }
    isOffered = true
    if isHelperUnderWay { return .anyone }
    isHelperUnderWay = true
    return .helper
  }

  /// Who tells what is left.
  @usableFromInline enum Successor: Sendable {
    /// A builder that waited, which has to be woken.
    case builder(WaitingBuilder)
    /// A task of the store, which has to be started, or whoever builds before it.
    case helper
    /// The task that is on its way, or whoever builds before it.
    case anyone
  }

  /// Takes the offered turn for the store's task, if it is still offered.
  @usableFromInline mutating func takeOffered() -> Bool {
    isHelperUnderWay = isOffered
    isOffered = false
    return isHelperUnderWay
  }

  private mutating func nextBuilder(_ end: WaitingBuilder.End) -> WaitingBuilder? {
    while let builder = waiting.popFirst() {
      if builder.finish(end) { return builder }
    }
    return nil
  }
}
