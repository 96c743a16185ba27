internal import LegoKit

/// The state of a keeper, except for its file.
struct KeeperState<Value: Equatable & Sendable>: Sendable {
  enum Phase: Sendable {
    case new
    /// The store is being created.
    case restored
    case connected(StoreConnection<Value>)
    /// The store has ended with the given value, which has not been saved yet.
    case ended(Value)
    /// The last value has been saved or lost, and the file is closed.
    case finished
  }

  var phase = Phase.new
  /// The value that this program last read from or wrote to the file, or the store's initial value
  /// if it has done neither.
  var base: Value?
  /// `true` if the file must be written even if the value has not changed.
  var mustWrite = false
  /// The error that permanently prevents saving.
  var writeBlock: KeepingError?
  /// The error that caused the loss of the last value.
  var finalError: KeepingError?
  /// The last reported error, which is not reported twice in a row.
  var reported: KeepingError?
  var sink = LogSink.standardError
  var clock: any Clock<Duration> = ContinuousClock()
  /// `true` if the store will notify the keeper of its next change.
  var isObserving = false
  /// `true` if the value has changed since this flag was last cleared.
  var hasChanged = false
  /// `false` if an attempt to watch the directory has failed.
  var canWatch = true
  /// `true` while the exiting program waits for the last value to be saved.
  var isFinishing = false
  /// The task that waits until a change is due to be saved.
  var debounceTask: Task<Void, Never>?
  var isDebouncing = false
  /// The task that waits until a failed save is due to be retried.
  var retryTask: Task<Void, Never>?
  private var retryDelay = Duration.zero

  /// The source of the value to save.
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

  /// A Boolean value that indicates whether no store has been connected yet.
  var hasNoStore: Bool {
    switch phase {
    case .new, .restored: true
    case .connected, .ended, .finished: false
    }
  }

  var connection: StoreConnection<Value>? {
    if case .connected(let connection) = phase { connection } else { nil }
  }

  /// Records the initial value of a store.
  ///
  /// - Returns: `true` if this is the keeper's first store; otherwise, `false`.
  mutating func begin(with value: Value, sink: LogSink) -> Bool {
    guard case .new = phase else { return false }
    (phase, base, self.sink) = (.restored, value, sink)
    return true
  }

  /// Records that the keeper observes the store.
  ///
  /// - Returns: The connection from which the caller must request a notification, or `nil` if the
  ///   keeper already observes the store or has no connection.
  mutating func beginObserving() -> StoreConnection<Value>? {
    guard !isObserving, let connection else { return nil }
    isObserving = true
    return connection
  }

  /// Records that the store has changed.
  ///
  /// - Returns: `true` if the caller must start the debounce task.
  mutating func recordChange(isAutomatic: Bool) -> Bool {
    (isObserving, hasChanged) = (false, true)
    guard isAutomatic, !isDebouncing, connection != nil else { return false }
    isDebouncing = true
    return true
  }

  /// Stops debouncing, unless the value has changed again.
  ///
  /// - Returns: `true` if debouncing has stopped; otherwise, `false`.
  mutating func endDebouncing() -> Bool {
    if hasChanged, connection != nil { return false }
    (isDebouncing, debounceTask) = (false, nil)
    return true
  }

  /// Returns the delay before the next attempt: at first one second, then twice the previous delay,
  /// up to a minute.
  mutating func nextRetryDelay() -> Duration {
    retryDelay = min(max(retryDelay * 2, .seconds(1)), .seconds(60))
    return retryDelay
  }

  /// Records a successful save.
  ///
  /// - Returns: The task that is waiting to retry a failed save, if there is one. The caller must
  ///   cancel it.
  mutating func succeed() -> Task<Void, Never>? {
    (reported, retryDelay) = (nil, .zero)
    return retryTask.take()
  }
}

/// The connection of a keeper to its store.
struct StoreConnection<Value: Equatable & Sendable>: Sendable {
  /// Returns the current value, or `nil` if the store has been released.
  let value: @Sendable () -> Value?
  /// Sends the store a value that another program has saved, and returns `false` if the store is
  /// ending.
  ///
  /// The closure is `nil` if the store ignores such values.
  let arrive: (@Sendable (KeptArrival<Value>) -> Bool)?
  /// Calls a closure once, after the next change.
  let onNextChange: @Sendable (@escaping @Sendable () -> Void) -> Void
}
