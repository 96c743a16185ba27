internal import Synchronization

extension Lego {
  /// What an adaptor may do with this store from outside.
  var link: StoreLink<B> {
    StoreLink(
      read: { [weak self] in self?.state.withLock { $0.design } },
      deliver: { [weak self] change in self?.deliver(change) ?? false },
      wait: { [weak self] body in self?.state.withLock { $0.wake(body) } })
  }

  /// Applies a change that comes through a link.
  private func deliver(_ change: B.Change) -> Bool {
    var isTaken = false
    // It is the store's own, as what follows from the design is.
    let context = EffectContext(root: 0, number: 0, overrides: overrides)
    build(change, in: context) { state in
      isTaken = state.phase != .closed && !ledger.isCancelled(context.root)
      return isTaken
    }
    return isTaken
  }

  /// Prepares the first design of a store.
  package static func opening(_ design: B.Design, by adaptors: [Adaptor<B>]) -> B.Design {
    var design = design
    for adaptor in adaptors { adaptor.opening(&design) }
    return design
  }
}
