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
/// What is whose is seen by the ``CallOut`` that a thread is in. A store in which nobody meets
/// would spend more on call-outs than on everything else, and so would one whose effects now and then
/// send while a change is told. So it makes one only for the thousand changes after several builds
/// met the same teller, while observers are slow, and now and then to find out. What comes into the
/// queue while a change is told without one is of unknown origin. It counts as the teller's own until
/// a build of another thread is seen.
@usableFromInline struct Tellers: Sendable {
  /// Whose change it is that waits in the queue.
  @usableFromInline enum Origin: UInt8, Sendable {
    case own, unknown, other
  }

  /// After how many changes it is looked again whether observers are slow.
  @usableFromInline static var sampling: UInt64 { 256 }
  /// For how many changes call-outs are made after too many builds met.
  private static let alertness: UInt64 = 1_024
  /// From where on an observer is slow.
  static let slowness = Duration.microseconds(4)
  /// Of how many builders of unknown origin one waits.
  private static let doubt = 64

  private let backlog: Backlog
  private var waiting = Queue<WaitingBuilder>()
  /// Whether the teller makes call-outs now, so that a build outside them is another thread's.
  @usableFromInline var isMakingCallOuts = false
  /// Whether the change being told was caused by its teller's own build.
  @usableFromInline var isTellingOwn = true
  /// Whether a build of another thread has come, or the turn was passed on, since the queue was
  /// empty.
  @usableFromInline var hasSeenOthers = false
  /// Grows when the turn is passed on: what is in the queue then is nobody's own.
  @usableFromInline private(set) var term: UInt64 = 0
  /// Until which change call-outs are made.
  @usableFromInline private(set) var alertUntil: UInt64 = 0
  /// The first change that may have to be told in a call-out; those before it are not.
  ///
  /// It is zero where that has to be found out anew.
  @usableFromInline private(set) var quietEnd: UInt64 = 0
  private(set) var isOffered = false
  /// Whether a task of the store is on its way to take an offered turn.
  private var isHelperUnderWay = false

  init(backlog: Backlog) {
    self.backlog = backlog
  }

  /// Whether a change is told in a call-out.
  @inlinable func isAlert(at number: UInt64) -> Bool {
    number <= alertUntil || number % Tellers.sampling == 1
  }

  /// Notes that it is known now whether a change is told in a call-out, and what comes after it.
  @usableFromInline mutating func findQuietEnd(after number: UInt64) {
    quietEnd =
      number < alertUntil
      ? number + 1 : (number + Self.sampling - 1) / Self.sampling * Self.sampling + 1
  }

  /// Has call-outs made until a change.
  private mutating func alert(until number: UInt64) {
    alertUntil = max(alertUntil, number)
    quietEnd = 0
  }

  /// Whether it is measured how long a change takes to be told; the clock costs more than a change
  /// that nobody minds.
  static func isTimed(at number: UInt64) -> Bool { number % 8 == 1 }

  /// Notes that the observers and adaptors were slow to take a change.
  @usableFromInline mutating func noteSlowness(at number: UInt64) {
    alert(until: number + 2 * Self.sampling)
  }

  // MARK: - The builder's side

  /// Notes that a builder found the turn free, and tells its own change.
  @inlinable @inline(__always) mutating func beginTurn() {
    isTellingOwn = true
    isMakingCallOuts = false
  }

  /// Whose a change is that comes into the queue from some thread.
  ///
  /// - Parameters:
  ///   - number: The change's number.
  ///   - isInside: Whether the thread is in a call-out of the store.
  /// - Returns: Whose it is.
  @usableFromInline mutating func origin(of number: UInt64, isInside: Bool) -> Origin {
    let isSeen = isMakingCallOuts || isOffered
    if isInside, isMakingCallOuts, !isOffered { return ownOrigin }
    // The first already: a teller that loses its core would tell too much of what comes meanwhile.
    alert(until: number + Self.alertness)
    guard isSeen else { return .unknown }
    hasSeenOthers = true
    return .other
  }

  /// Whose a change is that the teller itself puts into the queue.
  @usableFromInline var ownOrigin: Origin { isTellingOwn ? .own : .other }

  /// What a builder does whose change is in the queue now.
  @usableFromInline mutating func arrive(_ origin: Origin, in current: CallOut?, count: Int)
    -> Arrival
  {
    if isOffered {
      isOffered = false
      return .tell
    }
    // Who is inside a call-out, of whatever store, may be the one that is waited for.
    guard count > backlog.limit, current == nil, origin != .own else { return .leave }
    var patience = backlog.patience
    if origin == .unknown {
      guard count % Self.doubt == 0 else { return .leave }
      patience = min(patience, .microseconds(500))
    }
    let builder = WaitingBuilder(patience: patience)
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

  /// Whether the teller may tell the first change in the queue.
  @usableFromInline func mayTell(_ origin: Origin, of term: UInt64, _ share: inout Share?) -> Bool {
    isOwn(origin, of: term) || Share.take(from: &share)
  }

  private func isOwn(_ origin: Origin, of term: UInt64) -> Bool {
    guard term == self.term else { return false }
    return origin == .own || origin == .unknown && !hasSeenOthers
  }

  /// Notes that a change leaves the queue and is told from now on.
  ///
  /// - Parameters:
  ///   - number: The change's number.
  ///   - origin: Whose it is.
  ///   - term: The term in which it came.
  ///   - count: How many changes are left.
  ///   - waking: The builders who may go on.
  /// - Returns: Whether to tell it in a call-out.
  @usableFromInline mutating func tell(
    _ number: UInt64, _ origin: Origin, of term: UInt64, leaving count: Int,
    _ waking: inout [WaitingBuilder]
  ) -> Bool {
    isTellingOwn = isOwn(origin, of: term)
    isMakingCallOuts = isAlert(at: number)
    findQuietEnd(after: number)
    // Each that waits has one change in the queue beyond the limit.
    while !waiting.isEmpty, count - waiting.count < backlog.limit, let builder = nextBuilder(.room)
    {
      waking.append(builder)
    }
    return isMakingCallOuts
  }

  /// Passes the turn on.
  @usableFromInline mutating func passOn() -> Successor {
    term += 1
    hasSeenOthers = true
    // Who has the turn next builds nothing before it tells.
    isMakingCallOuts = true
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
