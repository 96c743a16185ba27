public import Synchronization

extension Lego {
  /// Runs an effect that follows from a part of the design, until the token is cancelled or freed.
  @inlinable public func follow<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable,
    _ effect: @escaping @Sendable (Value) -> Effect<B.Change>
  ) -> AnyCancellable {
    let following = start(Follow<B>(keyPath, effect)) { $0.taker($1, $2) }
    return AnyCancellable { [weak self] in self?.end(following) }
  }

  /// Takes a design with the number of the change that made it.
  @usableFromInline typealias Taker = @Sendable (UInt64, B.Design) -> Void
  /// Makes what takes a store's designs and starts what follows from them in a span.
  ///
  /// It is compiled where the store is made, where the types are known: all that the effects send goes
  /// through code that asks the run time for no type.
  @usableFromInline typealias MakeTaker =
    @Sendable (Lego, EffectScope, @escaping Follow<B>.Look) -> Taker

  /// Starts an effect that follows from the design.
  @usableFromInline func start(
    _ follow: Follow<B>, _ makeTaker: MakeTaker
  ) -> LegoState<B>.Following {
    let span = EffectScope(follow.id, number: 0)
    let taker = makeTaker(self, span, follow.begin())
    let observer = LegoState<B>.Observer(
      change: { notification, _, design in taker(notification.number, design) })
    let (number, design) = add(observer)
    taker(number, design)
    return .init(observer: observer, span: span)
  }

  /// What takes the designs, in their order and one at a time, and starts what follows from them.
  @inlinable func taker(
    _ span: EffectScope, _ look: @escaping Follow<B>.Look
  ) -> Taker {
    let turn = FollowTurn<B.Design> { [weak self] number, design in
      guard span.isLive.load(ordering: .acquiring), let effect = look(design) else { return }
      // It is the store's own, so that nobody waits for it who waits for a build.
      guard let self else { return }
      let context = EffectContext(root: 0, number: number, overrides: overrides)
      start(effect, in: context.within(span))
    }
    return { number, design in turn.submit(number, design) }
  }

  /// Ends an effect that follows from the design, and starts it no more.
  ///
  /// When it is done, nothing of it is applied any more, whichever thread is about to start it.
  @usableFromInline func end(_ following: LegoState<B>.Following) {
    remove(following.observer)
    let ended = ledger.withRegistry { $0.end(following.span) }
    settleChanges()
    ledger.settle(ended)
  }
}
