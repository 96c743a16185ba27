internal import Synchronization

extension Lego {
  /// Runs an effect that follows from a part of the design, until the token is cancelled or freed.
  public func follow<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable,
    _ effect: @escaping @Sendable (Value) -> Effect<B.Change>
  ) -> AnyCancellable {
    let following = start(Follow<B>(keyPath, effect))
    return AnyCancellable { [weak self] in self?.end(following) }
  }

  /// Starts an effect that follows from the design.
  func start(_ follow: Follow<B>) -> LegoState<B>.Following {
    let look = follow.begin()
    let span = EffectScope(follow.id, number: 0)
    let turn = FollowTurn<B.Design> { [weak self] number, design in
      guard span.isLive.load(ordering: .acquiring), let effect = look(design) else { return }
      // It is the store's own, so that nobody waits for it who waits for a build.
      guard let self else { return }
      let context = EffectContext(root: 0, number: number, overrides: overrides)
      start(effect, in: context.within(span, next: nil))
    }
    let observer = LegoState<B>.Observer(
      change: { notification, _, design in turn.submit(notification.number, design) })
    let (number, design) = add(observer)
    turn.submit(number, design)
    return .init(observer: observer, span: span)
  }

  /// Ends an effect that follows from the design, and starts it no more.
  ///
  /// When it is done, nothing of it is applied any more, whichever thread is about to start it.
  func end(_ following: LegoState<B>.Following) {
    remove(following.observer)
    let ended = ledger.withRegistry { $0.end(following.span) }
    settleChanges()
    ledger.settle(ended)
  }
}
