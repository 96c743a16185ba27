internal import Synchronization

extension Lego: BuildOwner {
  @usableFromInline func finished(_ root: UInt64) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { $0.add(continuation, for: root) }
        hasWaiters.store(true, ordering: .sequentiallyConsistent)
        // It may be over already, and then nobody else would look.
        resumeWaiters(of: root)
      }
    } onCancel: {
      cancel(root)
    }
  }

  @usableFromInline func cancel(_ root: UInt64) {
    let ended = state.withLock { $0.cancel(root, isNotifying: turn.isTaken) }
    settle(ended, isContinuing: false)
  }
}

extension Lego {
  /// How many effects are under way.
  public var effectCount: Int { state.withLock { $0.effects.count } }

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

  func cancel(_ name: PartName, within way: PartWay?) {
    settle(state.withLock { $0.effects.cancel(name, within: way) })
  }
}
