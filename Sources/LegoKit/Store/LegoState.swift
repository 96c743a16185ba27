/// The state of a store: its design, and what has to be told.
///
/// Changes are applied one at a time under the store's lock. Telling them happens outside it, by
/// one thread at a time, as ``Tellers`` says.
@usableFromInline struct LegoState<B: Blueprint>: Sendable {
  @usableFromInline typealias Record = LegoKit.Record<B.Design, B.Change>
  @usableFromInline typealias ObserverList = LegoKit.ObserverList<B.Design, B.Change>
  @usableFromInline typealias Observer = LegoKit.Observer<B.Design, B.Change>

  @usableFromInline var design: B.Design
  /// How many changes were applied.
  @usableFromInline var number: UInt64 = 0
  @usableFromInline var observers: ObserverList?
  @usableFromInline var queue = Queue<Record>()
  @usableFromInline var tellers: Tellers
  private let notifiesAlways: Bool
  /// The builds that were cancelled while changes that they caused were in the queue, with the
  /// number of the last change that adaptors are not to answer.
  @usableFromInline var cancelled: [UInt64: UInt64] = [:]

  /// Creates the state of a store.
  ///
  /// - Parameters:
  ///   - design: The first design.
  ///   - notifiesAlways: Whether changes are told even when nobody observes.
  ///   - backlog: How many changes may wait to be told.
  init(design: B.Design, notifiesAlways: Bool, backlog: Backlog) {
    self.design = design
    self.notifiesAlways = notifiesAlways
    tellers = Tellers(backlog: backlog)
    observers = notifiesAlways ? ObserverList([]) : nil
  }

  mutating func add(_ observer: Observer) {
    observers = (observers ?? ObserverList([])).adding(observer)
  }

  mutating func remove(_ observer: Observer) {
    guard let remaining = observers?.removing(observer) else { return }
    observers = remaining.all.isEmpty && !notifiesAlways ? nil : remaining
  }

  /// Makes the adaptors pass over a change whose build was cancelled while it was in the queue.
  @usableFromInline mutating func passOver(_ record: inout Record) {
    if let last = cancelled[record.notification.root], record.notification.number <= last {
      record.notification.isAnswered = false
    }
    if queue.isEmpty { cancelled = [:] }
  }

  /// The number of the last change in the queue that a build caused; zero when there is none.
  func lastQueued(of root: UInt64) -> UInt64 {
    queue.last { $0.notification.root == root }?.notification.number ?? 0
  }
}
