internal import LegoKit

/// What a keeper knows, beside the file.
struct KeeperState<Value: Equatable & Sendable>: Sendable {
  enum Phase: Sendable {
    case new
    /// The first value was restored, and the store is being made.
    case begun
    case linked(KeeperLink<Value>)
    /// The store has ended; this is its last value.
    case ended(Value)
    /// All is saved and closed.
    case over
  }

  var phase = Phase.new
  /// The last value in the file that is known, or the one before any.
  var base: Value?
  /// Whether the file has to be written, although the value did not change.
  var mustWrite = false
  /// Why nothing may be written any more.
  var refusal: KeepingError?
  /// Why the last value is not saved, and never will be.
  var loss: KeepingError?
  /// The error that was reported last, so that it is reported once.
  var reported: KeepingError?
  var sink = LogSink.standardError
  var clock: any Clock<Duration> = ContinuousClock()
  /// Whether the store wakes the keeper at the next change.
  var isArmed = false
  /// Whether something has changed since this was last looked at.
  var hasChanged = false
  /// Whether the directory can be watched, as far as is known.
  var canWatch = true
  /// Whether the end of the program waits for the last value.
  var isFinishing = false
  /// Waits for the moment to save.
  var pacer: Task<Void, Never>?
  var isPacing = false
  /// Waits for the moment to try again.
  var retrial: Task<Void, Never>?
  private var wait = Duration.zero

  /// What there is to save.
  enum Subject: Sendable {
    case nothing
    case link(KeeperLink<Value>)
    case last(Value)
  }

  var subject: Subject {
    switch phase {
    case .new, .begun, .over: .nothing
    case .linked(let link): .link(link)
    case .ended(let value): .last(value)
    }
  }

  /// Whether there is no store yet.
  var isBefore: Bool {
    switch phase {
    case .new, .begun: true
    case .linked, .ended, .over: false
    }
  }

  var link: KeeperLink<Value>? {
    if case .linked(let link) = phase { link } else { nil }
  }

  /// Begins with a first value.
  ///
  /// - Returns: Whether this is the first store.
  mutating func begin(with value: Value, sink: LogSink) -> Bool {
    guard case .new = phase else { return false }
    (phase, base, self.sink) = (.begun, value, sink)
    return true
  }

  /// Takes the link that is to be told of, unless it is.
  mutating func arm() -> KeeperLink<Value>? {
    guard !isArmed, let link else { return nil }
    isArmed = true
    return link
  }

  /// Notes a change.
  ///
  /// - Returns: Whether waiting for the moment to save has to begin.
  mutating func noteChange(isAutomatic: Bool) -> Bool {
    (isArmed, hasChanged) = (false, true)
    guard isAutomatic, !isPacing, link != nil else { return false }
    isPacing = true
    return true
  }

  /// Ends the waiting, unless something has changed.
  ///
  /// - Returns: Whether it is over.
  mutating func endPacing() -> Bool {
    if hasChanged, link != nil { return false }
    (isPacing, pacer) = (false, nil)
    return true
  }

  /// How long to wait before the next attempt: one second, then twice as long, up to a minute.
  mutating func nextWait() -> Duration {
    wait = min(max(wait * 2, .seconds(1)), .seconds(60))
    return wait
  }

  /// Notes that all is saved.
  ///
  /// - Returns: Who need not try again.
  mutating func succeed() -> Task<Void, Never>? {
    (reported, wait) = (nil, .zero)
    return retrial.take()
  }
}

/// What a keeper may do with the value in its store.
struct KeeperLink<Value: Equatable & Sendable>: Sendable {
  /// The value now; `nil` when the store is gone.
  let value: @Sendable () -> Value?
  /// Tells the store what another program has saved, if that is wanted.
  ///
  /// The answer is whether the store took it; it does not when it is ending.
  let arrive: (@Sendable (KeptArrival<Value>) -> Bool)?
  /// Calls a closure after the next change.
  let onNextChange: @Sendable (@escaping @Sendable () -> Void) -> Void
}
