/// The state of a store: its design, and what has to be told.
///
/// Changes are applied one at a time under the store's lock. Telling them happens outside it, by
/// one thread at a time, as ``Tellers`` says.
@usableFromInline struct LegoState<B: Blueprint>: Sendable {
  @usableFromInline typealias Record = LegoKit.Record<B.Design, B.Change>
  @usableFromInline typealias ObserverList = LegoKit.ObserverList<B.Design, B.Change>
  @usableFromInline typealias Observer = LegoKit.Observer<B.Design, B.Change>

  /// An effect that follows from the design: what observes it, and the span that it runs in.
  @usableFromInline struct Following: Sendable {
    let observer: Observer
    let span: EffectScope
  }

  @usableFromInline var design: B.Design
  /// How many changes were applied.
  @usableFromInline var number: UInt64 = 0
  @usableFromInline var observers: ObserverList?
  /// The same once more, to be lent to a builder; `nil` while it is lent, and where it cannot be.
  @usableFromInline var lendable: ObserverList?
  /// Whether what was lent belongs here when it comes back.
  @usableFromInline var isLending = false
  /// Tells builders whether it is worth to ask.
  @usableFromInline let lending: Lending
  @usableFromInline var queue = RecordQueue<B.Design, B.Change>()
  /// What is known of the queue by those who wait for builds.
  @usableFromInline var queuedRoots = QueuedRoots()
  @usableFromInline var tellers: Tellers
  private let notifiesAlways: Bool
  /// Whether an adaptor wants the design before a change.
  @usableFromInline let keepsBefore: Bool
  /// What changes do instead of the blueprint alone, where it is made of parts.
  @usableFromInline let rules: Rules<B>?
  /// Whether effects may belong to parts that can go.
  @usableFromInline let hasParts: Bool
  /// Whether more has to be seen to at a change than the rules.
  @usableFromInline var needsCare: Bool
  private let needsCareAlways: Bool
  var phase = Phase.open
  /// The task that closes the store, from when it was asked to.
  var closing: Task<Void, Never>?
  /// Who waits until every change is told.
  var idle: WaitingTask?
  /// Those who are shown each new design under the lock, until they answer that it was the last.
  var watchers: [@Sendable (B.Design) -> Bool] = []
  /// Who is woken by the next change.
  var sleepers: [@Sendable () -> Void] = []
  /// What the last change leaves to be done outside the lock.
  @usableFromInline var aftermath: Aftermath<B>?
  /// The parts that may go, and in which effects are under way.
  var parts = EffectParts<B.Design>()
  /// Sees each change, for tests.
  let hook: ChangeHook<B.Design, B.Change>?
  /// The effects that follow from the design since the store was made.
  var followings: [Following] = []
  /// The builds that were cancelled while changes that they caused were in the queue, with the
  /// number of the last change that adaptors are not to answer.
  @usableFromInline var cancelled: [UInt64: UInt64] = [:]

  /// Creates the state of a store.
  ///
  /// - Parameters:
  ///   - design: The first design.
  ///   - notifiesAlways: Whether changes are told even when nobody observes.
  ///   - backlog: How many changes may wait to be told.
  ///   - keepsBefore: Whether an adaptor wants the design before a change.
  ///   - rules: What changes do instead of the blueprint alone.
  ///   - hasParts: Whether effects may belong to parts that can go.
  ///   - hook: Sees each change under the lock.
  ///   - lending: Where builders see whether observers can be lent.
  init(
    design: B.Design, notifiesAlways: Bool, backlog: Backlog, keepsBefore: Bool = false,
    rules: Rules<B>? = nil, hasParts: Bool = false, hook: ChangeHook<B.Design, B.Change>? = nil,
    lending: Lending = Lending()
  ) {
    self.hook = hook
    self.lending = lending
    self.design = design
    self.notifiesAlways = notifiesAlways
    self.keepsBefore = keepsBefore
    self.rules = rules
    self.hasParts = hasParts
    needsCareAlways = hook != nil
    needsCare = needsCareAlways
    tellers = Tellers(backlog: backlog)
    observers = notifiesAlways ? ObserverList([]) : nil
    updateLending()
  }

  /// Finds out whether more has to be seen to than the rules, after the phase, the watchers, the
  /// sleepers or the parts with effects have changed.
  mutating func updateCare() {
    needsCare =
      needsCareAlways || phase != .open || !watchers.isEmpty || !sleepers.isEmpty || !parts.isEmpty
    updateLending()
  }

  mutating func add(_ observer: Observer) {
    observers = (observers ?? ObserverList([])).adding(observer)
    updateLending()
  }

  mutating func remove(_ observer: Observer) {
    guard let remaining = observers?.removing(observer) else { return }
    observers = remaining.all.isEmpty && !notifiesAlways ? nil : remaining
    updateLending()
  }

  /// Makes the adaptors pass over a change whose build was cancelled while it was in the queue.
  @usableFromInline mutating func passOver(_ record: inout Record) {
    if let last = cancelled[record.notification.root], record.notification.number <= last {
      record.notification.isAnswered = false
    }
    if queue.isEmpty { cancelled = [:] }
  }

  /// The number of the last change in the queue that a build caused; zero, or that of one which has
  /// left it, when there is none.
  mutating func lastQueued(of root: UInt64) -> UInt64 {
    guard let oldest = queue.first?.notification.number else { return 0 }
    return queuedRoots.last(of: root, in: queue.newestFirst, from: oldest)
  }
}
