internal import Dispatch
internal import Glibc
internal import LegoKit
internal import Synchronization

extension KeeperCore {
  /// The reason for a save.
  enum SaveReason: Sendable {
    /// A delay has elapsed, or the store has ended.
    case scheduled
    /// A caller has requested the save, and receives the error.
    case requested
    /// The program is exiting, so a failed save is not retried.
    case exiting
  }

  /// Saves the current value on the queue.
  ///
  /// - Returns: The error that occurred, or `nil` if there was none.
  func save(_ reason: SaveReason) async -> KeepingError? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.perform(reason)) }
    }
  }

  /// Saves the current value.
  ///
  /// Call this method on the queue.
  ///
  /// - Returns: The error that occurred, or `nil` if there was none.
  func perform(_ reason: SaveReason) -> KeepingError? {
    // Changes after this point are left to the next save.
    state.withLock { $0.hasChanged = false }
    observeNextChange()
    let saved: Saved
    do throws(KeepingError) {
      saved = try write(reason)
    } catch {
      fail(error, reason)
      return error
    }
    if saved == .nothing { return nil }
    state.withLock { $0.succeed() }?.cancel()
    // The store may have ended while a previous value was being saved.
    if saved == .last { finish() } else { startWatching() }
    return nil
  }

  /// Indicates which value no longer needs to be saved.
  private enum Saved {
    case nothing
    /// The current value of the store.
    case current
    /// The last value of a store that has ended.
    case last
  }

  /// Writes the value if necessary.
  private func write(_ reason: SaveReason) throws(KeepingError) -> Saved {
    // Start over if another program writes the file at the same time.
    for attempt in 0..<16 {
      // A random delay keeps two programs from colliding every time.
      if attempt > 1 { usleep(UInt32.random(in: 0..<100 << min(attempt, 8))) }
      let (source, base, mustWrite, writeBlock) = state.withLock {
        ($0.source, $0.base, $0.mustWrite, $0.writeBlock)
      }
      let mine: Value
      var saved = Saved.current
      switch source {
      case .nothing: return .nothing
      case .last(let value): (mine, saved) = (value, .last)
      case .store(let store):
        // A store that supplies no value is being released, and will soon supply its last value.
        guard let value = store.value() else { return try waitForEnd(reason) }
        mine = value
      }
      if let writeBlock {
        if reason == .requested { throw writeBlock }
        return saved
      }
      if mine == base, !mustWrite, try !mustRecreate(reason) { return saved }
      let bytes = try format.bytes(of: mine, for: path)
      let found: FileSnapshot?
      do throws(KeepingError) {
        found = try file.withLock { (file) throws(KeepingError) in try file.write(bytes) }
      } catch {
        // The file may contain data that was not synced, so the value must be written even if it
        // changes back.
        state.withLock { $0.mustWrite = true }
        throw error
      }
      guard let found else {
        state.withLock { state in
          (state.base, state.mustWrite) = (mine, false)
        }
        return saved
      }
      switch try resolve(found) {
      case .write: continue
      case .keepFile: return saved
      case .waitForEnd: return try waitForEnd(reason)
      }
    }
    throw KeepingError(.busy, path, "another program changes it repeatedly")
  }

  /// Skips the save, because the last value will be saved when the store ends.
  ///
  /// - Throws: `.busy` if a caller has requested the save.
  private func waitForEnd(_ reason: SaveReason) throws(KeepingError) -> Saved {
    if reason == .requested {
      throw KeepingError(.busy, path, "its store is ending, and will be saved at its end")
    }
    return .nothing
  }

  /// Returns a Boolean value that indicates whether an unchanged value must be written again
  /// because its file is missing.
  private func mustRecreate(_ reason: SaveReason) throws(KeepingError) -> Bool {
    guard reason == .requested else { return false }
    return try file.withLock { (file) throws(KeepingError) in try file.isMissing() }
  }

  /// Reports a failed save, and schedules another attempt if it may succeed.
  ///
  /// The error is not reported if a caller receives it. Another attempt is scheduled only if saving
  /// is automatic or the store has ended, and never while the program is exiting.
  private func fail(_ error: KeepingError, _ reason: SaveReason) {
    // After the store has ended, a caller may never request another save, so the keeper retries on
    // its own.
    let hasEnded = state.withLock { if case .ended = $0.phase { true } else { false } }
    let isUnrecoverable = error.isPermanent || hasEnded && error.dependsOnValue
    let isLast = reason == .exiting
    let isTriedAgain = !isUnrecoverable && !isLast && (saving.times != nil || hasEnded)
    if reason != .requested {
      report(
        error, then: isTriedAgain ? "; not saved, will try again" : "; not saved",
        atLast: !error.isPermanent && (isLast || hasEnded && isUnrecoverable))
    }
    // If no further attempt can succeed, the value is released.
    if hasEnded, isUnrecoverable {
      state.withLock { $0.finalError = error }
      finish()
    }
    guard isTriedAgain else { return }
    state.withLock { state in
      guard state.retryTask == nil else { return }
      let (clock, wait) = (state.clock, state.nextRetryDelay())
      state.retryTask = Task.detached(name: "keeper", priority: .utility) {
        try? await clock.sleep(for: wait)
        if Task.isCancelled { return }
        self.state.withLock { $0.retryTask = nil }
        _ = await self.save(.scheduled)
      }
    }
  }
}

extension KeeperCore: SavedAtExit {
  func saveBeforeExit(_ done: @escaping @Sendable () -> Void) {
    state.withLock { $0.isFinishing = true }
    queue.async { self.saveNow(done) }
  }

  /// Saves the value if necessary, and then calls a closure.
  ///
  /// If the store is being released, the method waits for its last value. Call this method on the
  /// queue.
  private func saveNow(_ done: @escaping @Sendable () -> Void) {
    let isDue = saving.times != nil || state.withLock { $0.connection == nil }
    if isDue { _ = perform(.exiting) }
    // A store that supplies no value is being released, and will soon supply its last value.
    if let connection = state.withLock({ $0.connection }), connection.value() == nil {
      return queue.asyncAfter(deadline: .now() + .milliseconds(1)) { self.saveNow(done) }
    }
    state.withLock { $0.isFinishing = false }
    done()
  }

  func reportUnsaved() {
    guard state.withLock({ $0.isFinishing }) else { return }
    report(
      KeepingError(.busy, path, "the program ends before the last value could be written"),
      then: "; not saved", atLast: true)
  }
}
