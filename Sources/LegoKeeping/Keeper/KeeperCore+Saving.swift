internal import Dispatch
internal import Glibc
internal import LegoKit
internal import Synchronization

extension KeeperCore {
  /// Why something is saved.
  enum SaveReason: Sendable {
    /// It is time, or the store has ended.
    case scheduled
    /// Somebody waits, and gets the error.
    case requested
    /// The program ends, and nobody tries again.
    case exiting
  }

  /// Saves the value as it is when its turn comes.
  ///
  /// - Returns: What kept it from being saved.
  func save(_ reason: SaveReason) async -> KeepingError? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.perform(reason)) }
    }
  }

  /// Saves the value; on the queue.
  func perform(_ reason: SaveReason) -> KeepingError? {
    // What changes after this is seen the next time.
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
    // A store may have ended while a value was saved that is not its last.
    if saved == .last { finish() } else { startWatching() }
    return nil
  }

  /// What was saved.
  private enum Saved {
    case nothing
    /// What the store had.
    case current
    /// What an ended store has left.
    case last
  }

  /// Writes the value, if it has to be.
  private func write(_ reason: SaveReason) throws(KeepingError) -> Saved {
    // Another program that writes at the same time makes this one begin again.
    for attempt in 0..<16 {
      // Two that write at the same speed must not meet each time.
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
        // A store that is just going away tells its last value in a moment.
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
        // The file may hold what was not synced, even when the value becomes the one before.
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
    throw KeepingError(.busy, path, "another program changes it again and again")
  }

  /// Leaves saving to the end of the store, which comes in a moment.
  private func waitForEnd(_ reason: SaveReason) throws(KeepingError) -> Saved {
    if reason == .requested {
      throw KeepingError(.busy, path, "its store is just ending, and is saved then")
    }
    return .nothing
  }

  /// Whether a value that is as it was saved is to be saved once more.
  private func mustRecreate(_ reason: SaveReason) throws(KeepingError) -> Bool {
    guard reason == .requested else { return false }
    return try file.withLock { (file) throws(KeepingError) in try file.isMissing() }
  }

  /// Reports why something could not be saved, and sees to it that it is tried again.
  private func fail(_ error: KeepingError, _ reason: SaveReason) {
    // Nobody asks for the last value of a store again: each attempt is followed by another.
    let hasEnded = state.withLock { if case .ended = $0.phase { true } else { false } }
    let isUnrecoverable = error.isPermanent || hasEnded && error.dependsOnValue
    let isLast = reason == .exiting
    let isTriedAgain = !isUnrecoverable && !isLast && (saving.times != nil || hasEnded)
    if reason != .requested {
      report(
        error, then: isTriedAgain ? "; not saved, and tried again" : "; not saved",
        atLast: !error.isPermanent && (isLast || hasEnded && isUnrecoverable))
    }
    // It is not kept for an attempt that never comes.
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

  /// Saves what is not saved yet; on the queue.
  private func saveNow(_ done: @escaping @Sendable () -> Void) {
    let isDue = saving.times != nil || state.withLock { $0.connection == nil }
    if isDue { _ = perform(.exiting) }
    // A store that is just going away tells its last value in a moment.
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
