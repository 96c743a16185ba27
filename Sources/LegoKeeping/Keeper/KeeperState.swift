internal import LegoKit

/// What a keeper knows, beside the file.
struct KeeperState<Value: Equatable & Sendable>: Sendable {
  enum Phase: Sendable {
    case new
    /// The first value was restored, and the store is being made.
    case restored
    case connected(StoreConnection<Value>)
    /// The store has ended; this is its last value.
    case ended(Value)
    /// All is saved and closed.
    case finished
  }

  var phase = Phase.new
  /// The last value in the file that is known, or the one before any.
  var base: Value?
  /// Whether the file has to be written, although the value did not change.
  var mustWrite = false
  /// Why nothing may be written any more.
  var writeBlock: KeepingError?
  /// Why the last value is not saved, and never will be.
  var finalError: KeepingError?
  /// The error that was reported last, so that it is reported once.
  var reported: KeepingError?
  var sink = LogSink.standardError
  var clock: any Clock<Duration> = ContinuousClock()
  /// Whether the store wakes the keeper at the next change.
  var isObserving = false
  /// Whether something has changed since this was last looked at.
  var hasChanged = false
  /// Whether the directory can be watched, as far as is known.
  var canWatch = true
  /// Whether the end of the program waits for the last value.
  var isFinishing = false
  /// Waits for the moment to save.
  var debounceTask: Task<Void, Never>?
  var isDebouncing = false
  /// Waits for the moment to try again.
  var retryTask: Task<Void, Never>?
  private var retryDelay = Duration.zero

  /// What there is to save.
  enum Source: Sendable {
    case nothing
    case store(StoreConnection<Value>)
    case last(Value)
  }

  var source: Source {
    switch phase {
    case .new, .restored, .finished: .nothing
    case .connected(let connection): .store(connection)
    case .ended(let value): .last(value)
    }
  }

  /// Whether there is no store yet.
  var hasNoStore: Bool {
    switch phase {
    case .new, .restored: true
    case .connected, .ended, .finished: false
    }
  }

  var connection: StoreConnection<Value>? {
    if case .connected(let connection) = phase { connection } else { nil }
  }

  /// Begins with a first value.
  ///
  /// - Returns: Whether this is the first store.
  mutating func begin(with value: Value, sink: LogSink) -> Bool {
    guard case .new = phase else { return false }
    (phase, base, self.sink) = (.restored, value, sink)
    return true
  }

  /// Takes the link that is to be told of, unless it is.
  mutating func beginObserving() -> StoreConnection<Value>? {
    guard !isObserving, let connection else { return nil }
    isObserving = true
    return connection
  }

  /// Notes a change.
  ///
  /// - Returns: Whether waiting for the moment to save has to begin.
  mutating func recordChange(isAutomatic: Bool) -> Bool {
    (isObserving, hasChanged) = (false, true)
    guard isAutomatic, !isDebouncing, connection != nil else { return false }
    isDebouncing = true
    return true
  }

  /// Ends the waiting, unless something has changed.
  ///
  /// - Returns: Whether it is over.
  mutating func endDebouncing() -> Bool {
    if hasChanged, connection != nil { return false }
    (isDebouncing, debounceTask) = (false, nil)
    return true
  }

  /// How long to wait before the next attempt: one second, then twice as long, up to a minute.
  mutating func nextRetryDelay() -> Duration {
    retryDelay = min(max(retryDelay * 2, .seconds(1)), .seconds(60))
    return retryDelay
  }

  /// Notes that all is saved.
  ///
  /// - Returns: Who need not try again.
  mutating func succeed() -> Task<Void, Never>? {
    (reported, retryDelay) = (nil, .zero)
    return retryTask.take()
  }
}

/// What a keeper may do with the value in its store.
struct StoreConnection<Value: Equatable & Sendable>: Sendable {
  /// The value now; `nil` when the store is gone.
  let value: @Sendable () -> Value?
  /// Tells the store what another program has saved, if that is wanted.
  ///
  /// The answer is whether the store took it; it does not when it is ending.
  let arrive: (@Sendable (KeptArrival<Value>) -> Bool)?
  /// Calls a closure after the next change.
  let onNextChange: @Sendable (@escaping @Sendable () -> Void) -> Void
}
