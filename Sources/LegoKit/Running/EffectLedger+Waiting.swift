internal import Synchronization

extension EffectLedger {
  /// Adds one who waits for a build, or lets it go on at once when the build is over.
  ///
  /// Changes that come into the store's queue once someone waits are noted as they come.
  ///
  /// - Parameters:
  ///   - task: Who waits.
  ///   - root: The build.
  ///   - isQueueing: Whether a change is told now, so that others may be in the store's queue.
  /// - Returns: Whether the queue has to be looked at for changes of the build, and
  ///   ``scanned(_:lastQueued:)`` to be told. Until then nobody goes on.
  func add(
    _ task: WaitingTask, for root: UInt64, isQueueing: () -> Bool
  ) -> Bool {
    var isScanned = false
    let settled = state.withLock { state in
      // Under the lock, because the last of others may be let go on at this moment. Before it is
      // asked, because whoever tells a change looks for those who wait once it is told.
      hasWaiters.store(true, ordering: .sequentiallyConsistent)
      isScanned = isQueueing()
      state.updateWaiters(of: root) { waiters in
        waiters.add(task)
        if isScanned { waiters.scans += 1 }
      }
      return takeSettled(root, in: &state)
    }
    settled?.resume()
    return isScanned
  }

  /// Whether a build is over, as far as that can be told without a look at the store's queue.
  ///
  /// - Parameters:
  ///   - root: The build.
  ///   - isQueueing: Whether a change is told now. It is asked first, while no effect can end: what
  ///     one that has ended before has sent was told by then, and what has followed is there.
  /// - Returns: Whether it is; else it may be over all the same.
  func isOver(_ root: UInt64, isQueueing: () -> Bool) -> Bool {
    state.withLock { state in !isQueueing() && !state.registry.contains(root: root) }
  }

  /// Notes the last change in the store's queue that a build caused.
  func scanned(_ root: UInt64, lastQueued: UInt64) {
    state.withLock { state in
      state.updateWaiters(of: root) { waiters in
        waiters.scans -= 1
        waiters.noteQueued(lastQueued)
      }
    }
    resumeWaiters(of: root)
  }

  /// Notes a change that comes into the store's queue; under the store's lock.
  @usableFromInline func noteQueued(_ number: UInt64, root: UInt64) {
    guard hasWaiters.load(ordering: .sequentiallyConsistent) else { return }
    state.withLock { state in
      if state.waiters.contains(root) { state.updateWaiters(of: root) { $0.noteQueued(number) } }
    }
  }

  /// Notes a change that leaves the store's queue, and is told from now on; under the store's lock.
  @usableFromInline func noteDequeued(_ number: UInt64, root: UInt64) {
    notifying.store(root, ordering: .relaxed)
    dequeued.store(number, ordering: .releasing)
  }

  /// Lets go of a build that an ended effect has held, now that what follows it has started.
  func release(_ root: UInt64) {
    let settled = state.withLock { state in
      state.registry.release(root)
      return takeSettled(root, in: &state)
    }
    settled?.resume()
  }

  /// Resumes those who wait for a build, if it is over.
  @usableFromInline func resumeWaiters(of root: UInt64) {
    state.withLock { takeSettled(root, in: &$0) }?.resume()
  }

  func takeSettled(_ root: UInt64, in state: inout State) -> Waiters? {
    // What has left the queue is looked at before what is told, because it is told from then on.
    guard !state.waiters.isEmpty, let waiting = state.waiters[root], waiting.scans == 0,
      waiting.lastQueued <= dequeued.load(ordering: .sequentiallyConsistent),
      notifying.load(ordering: .sequentiallyConsistent) != root,
      !state.registry.contains(root: root)
    else { return nil }
    _ = state.waiters.remove(root)
    if state.waiters.isEmpty { hasWaiters.store(false, ordering: .sequentiallyConsistent) }
    return waiting
  }
}
