extension Lego {
  /// Runs an effect that follows from a part of the design, until the token is cancelled or freed.
  public func follow<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable,
    _ effect: @escaping @Sendable (Value) -> Effect<B.Change>
  ) -> AnyCancellable {
    let follow = Follow<B>(keyPath, effect)
    let observer = start(follow)
    return AnyCancellable { [weak self] in
      self?.remove(observer)
      self?.cancel(follow.id)
    }
  }

  /// Starts an effect that follows from the design.
  @discardableResult
  func start(_ follow: Follow<B>) -> LegoState<B>.Observer {
    let look = follow.begin()
    let turn = FollowTurn<B.Design> { [weak self] number, design in
      guard let effect = look(design) else { return }
      // It is the store's own, so that nobody waits for it who waits for a build.
      guard let self else { return }
      start(effect, in: EffectContext(root: 0, number: number, overrides: overrides))
    }
    let observer = LegoState<B>.Observer(
      change: { notification, _, design in turn.submit(notification.number, design) })
    let (number, design) = add(observer)
    turn.submit(number, design)
    return observer
  }
}
