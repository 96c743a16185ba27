internal import LegoPublishers
internal import Synchronization

extension Lego {
  /// Runs an effect for a part of the design, until the token is cancelled or freed.
  ///
  /// The effect starts with the current value. Each time the part changes, the effect is cancelled
  /// and a new one starts, as with an adaptor's ``Follow``.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the part.
  ///   - effect: Returns the effect for a value of the part, or `.none` if none is needed.
  /// - Returns: A token that ends the effect when it is cancelled or freed.
  public func follow<Value: Equatable & Sendable>(
    _ keyPath: any KeyPath<B.Design, Value> & Sendable,
    _ effect: @escaping @Sendable (Value) -> Effect<B.Change>
  ) -> AnyCancellable {
    let following = start(Follow<B>(keyPath, effect))
    return AnyCancellable { [weak self] in self?.end(following) }
  }

  /// Starts a ``Follow`` with the current design.
  func start(_ follow: Follow<B>) -> LegoState<B>.Following {
    let inspect = follow.begin()
    let span = state.withLock { $0.effects.openUngroupedSpan(follow.id) }
    let inspectRecord: @Sendable (Record<B>) -> Void = { [weak self] record in
      guard let self, let effect = inspect(record.after) else { return }
      // The effect belongs to no build, so no build waits for it.
      let context = EffectContext(root: 0, number: record.number, overrides: overrides)
      start(effect, in: context.within(span))
    }
    let observer = Observer<B>(start: inspectRecord, change: inspectRecord)
    add(observer)
    return .init(observer: observer, span: span)
  }

  /// Ends a ``Follow``, and cancels its effect.
  ///
  /// After the call, no change from the effect is applied, even if another thread was about to
  /// start it.
  func end(_ following: LegoState<B>.Following) {
    remove(following.observer)
    finishCancelling(state.withLock { $0.effects.cancelSpan(following.span) })
  }

  // MARK: - Links

  /// The link that the adaptors of this store receive.
  var link: StoreLink<B> {
    StoreLink(
      read: { [weak self] in self?.state.withLock { $0.design } },
      apply: { [weak self] change in
        guard let self else { return false }
        // Like a change from a `Follow`, this change belongs to no build.
        return self.apply(change, root: 0) { $0.phase != .closed && !$0.builds.isCancelled(0) } > 0
      },
      wait: { [weak self] body in
        self?.state.withLock { state in
          if state.phase != .closed { state.wakers.append(body) }
        }
      })
  }

  /// Returns the initial design of a store, prepared by its adaptors.
  @usableFromInline package static func opening(
    _ design: B.Design, by adaptors: [Adaptor<B>]
  ) -> B.Design {
    var design = design
    for adaptor in adaptors { adaptor.opening(&design) }
    return design
  }
}
