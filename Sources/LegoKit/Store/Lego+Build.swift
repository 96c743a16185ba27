internal import Synchronization

extension Lego: BuildOwner {
  @usableFromInline func finished(_ root: UInt64) async {
    // To wait costs more than to find that there is nothing to wait for.
    if ledger.isOver(root, isQueueing: { turn.isTaken }) { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // While a change is told, who waits passes through the store's lock too: then either this
        // sees that it has been told, or its teller sees that somebody waits.
        let isScanned = ledger.add(WaitingTask(continuation), for: root) { turn.isTaken }
        if isScanned {
          ledger.scanned(root, lastQueued: state.withLock { $0.lastQueued(of: root) })
        }
      }
    } onCancel: {
      cancel(root)
    }
  }

  @usableFromInline func cancel(_ root: UInt64) {
    // What is ended under the store's lock is ended for good.
    let ended = state.withLock { state in
      if !state.queue.isEmpty { state.cancelled[root] = state.number }
      return ledger.cancel(root: root)
    }
    ledger.settle(ended, isContinuing: false)
  }
}

extension Lego {
  /// How many effects are under way.
  public var effectCount: Int { ledger.count }

  /// Cancels every effect with this id: those that run, wait or are to follow.
  ///
  /// When it returns, nothing of them is applied any more. An id is a value with its type:
  /// `Int32(1)` is another id than `1`.
  public func cancel(id: some Hashable & Sendable) {
    cancel(EffectID(id))
    cancel(EffectID(id, use: .pause))
  }

  /// Cancels every effect of the parts at a place: of a part, or of all parts of a collection.
  public func cancel<Part>(part place: any KeyPath<B.Design, Part> & Sendable) {
    cancel(PartName(place: place, id: nil), within: nil)
  }

  /// Cancels every effect of one part of a collection.
  public func cancel<Part>(
    part place: any KeyPath<B.Design, Part> & Sendable, id: some Hashable & Sendable
  ) {
    cancel(PartName(place: place, id: AnySendableHashable(id)), within: nil)
  }
}
