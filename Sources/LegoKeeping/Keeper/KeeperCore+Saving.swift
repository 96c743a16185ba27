internal import Dispatch
internal import Glibc
internal import LegoKit
internal import Synchronization

extension KeeperCore {
  /// Why something is saved.
  enum Demand: Sendable {
    /// It is time, or the store has ended.
    case due
    /// Somebody waits, and gets the error.
    case asked
    /// The program ends, and nobody tries again.
    case ending
  }

  /// Saves the value as it is when its turn comes.
  ///
  /// - Returns: What kept it from being saved.
  func save(_ demand: Demand) async -> KeepingError? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.perform(demand)) }
    }
  }

  /// Saves the value; on the queue.
  func perform(_ demand: Demand) -> KeepingError? {
    // What changes after this is seen the next time.
    state.withLock { $0.hasChanged = false }
    arm()
    let saved: Saved
    do throws(KeepingError) {
      saved = try write(demand)
    } catch {
      fail(error, demand)
      return error
    }
    if saved == .nothing { return nil }
    state.withLock { $0.succeed() }?.cancel()
    // A store may have ended while a value was saved that is not its last.
    if saved == .last { finish() } else { keepWatching() }
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
  private func write(_ demand: Demand) throws(KeepingError) -> Saved {
    // Another program that writes at the same time makes this one begin again.
    for attempt in 0..<16 {
      // Two that write at the same speed must not meet each time.
      if attempt > 1 { usleep(UInt32.random(in: 0..<100 << min(attempt, 8))) }
      let (subject, base, mustWrite, refusal) = state.withLock {
        ($0.subject, $0.base, $0.mustWrite, $0.refusal)
      }
      let mine: Value
      var saved = Saved.current
      switch subject {
      case .nothing: return .nothing
      case .last(let value): (mine, saved) = (value, .last)
      case .link(let link):
        // A store that is just going away tells its last value in a moment.
        guard let value = link.value() else { return try waited(demand) }
        mine = value
      }
      if let refusal {
        if demand == .asked { throw refusal }
        return saved
      }
      if mine == base, !mustWrite, try !isWanted(demand) { return saved }
      let bytes = try format.bytes(of: mine, for: path)
      let found: FoundFile?
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
      case .leave: return saved
      case .wait: return try waited(demand)
      }
    }
    throw KeepingError(.busy, path, "another program changes it again and again")
  }

  /// Leaves saving to the end of the store, which comes in a moment.
  private func waited(_ demand: Demand) throws(KeepingError) -> Saved {
    if demand == .asked {
      throw KeepingError(.busy, path, "its store is just ending, and is saved then")
    }
    return .nothing
  }

  /// Whether a value that is as it was saved is to be saved once more.
  private func isWanted(_ demand: Demand) throws(KeepingError) -> Bool {
    guard demand == .asked else { return false }
    return try file.withLock { (file) throws(KeepingError) in try file.isMissing() }
  }

  /// Reports why something could not be saved, and sees to it that it is tried again.
  private func fail(_ error: KeepingError, _ demand: Demand) {
    // Nobody asks for the last value of a store again: each attempt is followed by another.
    let hasEnded = state.withLock { if case .ended = $0.phase { true } else { false } }
    let isHopeless = error.isFinal || hasEnded && error.isOfValue
    let isLast = demand == .ending
    let isTriedAgain = !isHopeless && !isLast && (saving.times != nil || hasEnded)
    if demand != .asked {
      report(
        error, then: isTriedAgain ? "; not saved, and tried again" : "; not saved",
        atLast: !error.isFinal && (isLast || hasEnded && isHopeless))
    }
    // It is not kept for an attempt that never comes.
    if hasEnded, isHopeless {
      state.withLock { $0.loss = error }
      finish()
    }
    guard isTriedAgain else { return }
    state.withLock { state in
      guard state.retrial == nil else { return }
      let (clock, wait) = (state.clock, state.nextWait())
      state.retrial = Task.detached(name: "keeper", priority: .utility) {
        try? await clock.sleep(for: wait)
        if Task.isCancelled { return }
        self.state.withLock { $0.retrial = nil }
        _ = await self.save(.due)
      }
    }
  }
}

extension KeeperCore: Finishing {
  func finishSoon(_ done: @escaping @Sendable () -> Void) {
    state.withLock { $0.isFinishing = true }
    queue.async { self.finishNow(done) }
  }

  /// Saves what is not saved yet; on the queue.
  private func finishNow(_ done: @escaping @Sendable () -> Void) {
    let isDue = saving.times != nil || state.withLock { $0.link == nil }
    if isDue { _ = perform(.ending) }
    // A store that is just going away tells its last value in a moment.
    if let link = state.withLock({ $0.link }), link.value() == nil {
      return queue.asyncAfter(deadline: .now() + .milliseconds(1)) { self.finishNow(done) }
    }
    state.withLock { $0.isFinishing = false }
    done()
  }

  func giveUp() {
    guard state.withLock({ $0.isFinishing }) else { return }
    report(
      KeepingError(.busy, path, "the program ends before the last value could be written"),
      then: "; not saved", atLast: true)
  }
}
