internal import LegoKit

/// The state of a keeper, except for the file.
struct KeeperState<Value: Equatable & Sendable>: Sendable {
  enum Phase: Sendable {
    case new
    /// The first value was restored, and the store is being created.
    case restored
    case connected(StoreConnection<Value>)
    /// The store has ended with this value.
    case ended(Value)
    /// Everything is saved and closed.
    case finished
  }

  var phase = Phase.new
  /// The last known value in the file, or the first value of the store if the file had none.
  var base: Value?
  /// `true` if the file must be written even though the value did not change.
  var mustWrite = false
  /// The reason why saving has stopped for good.
  var writeBlock: KeepingError?
  /// The error because of which the last value is lost.
  var finalError: KeepingError?
  /// The last reported error, so that it is not repeated.
  var reported: KeepingError?
  var sink = LogSink.standardError
  var clock: any Clock<Duration> = ContinuousClock()
  /// `true` if the store notifies the keeper of the next change.
  var isObserving = false
  /// `true` if the value has changed since this flag was cleared.
  var hasChanged = false
  /// `false` after watching the directory has failed.
  var canWatch = true
  /// `true` while the exit of the program waits for the last value.
  var isFinishing = false
  /// The task that waits for the time to save.
  var debounceTask: Task<Void, Never>?
  var isDebouncing = false
  /// The task that waits for the next attempt.
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

  /// A Boolean value that indicates whether no store is connected yet.
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
  /// - Returns: `true` if this is the first store.
  mutating func begin(with value: Value, sink: LogSink) -> Bool {
    guard case .new = phase else { return false }
    (phase, base, self.sink) = (.restored, value, sink)
    return true
  }

  /// Returns the connection if a notification of the next change must be requested.
  mutating func beginObserving() -> StoreConnection<Value>? {
    guard !isObserving, let connection else { return nil }
    isObserving = true
    return connection
  }

  /// Records a change.
  ///
  /// - Returns: `true` if the caller must start the debounce task.
  mutating func recordChange(isAutomatic: Bool) -> Bool {
    (isObserving, hasChanged) = (false, true)
    guard isAutomatic, !isDebouncing, connection != nil else { return false }
    isDebouncing = true
    return true
  }

  /// Ends the debounce task, unless the value has changed.
  ///
  /// - Returns: `true` if it has ended.
  mutating func endDebouncing() -> Bool {
    if hasChanged, connection != nil { return false }
    (isDebouncing, debounceTask) = (false, nil)
    return true
  }

  /// The delay before the next attempt: one second, then doubled each time, up to a minute.
  mutating func nextRetryDelay() -> Duration {
    retryDelay = min(max(retryDelay * 2, .seconds(1)), .seconds(60))
    return retryDelay
  }

  /// Records that everything is saved.
  ///
  /// - Returns: The retry task, which is no longer needed.
  mutating func succeed() -> Task<Void, Never>? {
    (reported, retryDelay) = (nil, .zero)
    return retryTask.take()
  }
}

/// The access of a keeper to the value in its store.
struct StoreConnection<Value: Equatable & Sendable>: Sendable {
  /// The current value; `nil` if the store was released.
  let value: @Sendable () -> Value?
  /// Sends a value that another program has saved to the store; `nil` if the store does not want
  /// it.
  ///
  /// It returns `false` if the store is ending.
  let arrive: (@Sendable (KeptArrival<Value>) -> Bool)?
  /// Calls a closure after the next change.
  let onNextChange: @Sendable (@escaping @Sendable () -> Void) -> Void
}
