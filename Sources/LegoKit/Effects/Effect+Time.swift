extension Effect {
  /// Waits on the ``Contractors/clock`` in force.
  static func sleep(for duration: Duration) -> Effect {
    .run(name: "sleep") { _ in
      // A sleep that is cut short belongs to an effect that was cancelled.
      try? await Contractors().clock.sleep(for: duration)
    }
  }

  /// Starts the effect later.
  public func delay(for duration: Duration) -> Effect {
    isNone ? self : .concatenate(.sleep(for: duration), self)
  }

  /// Starts the effect once nothing of the same id has come for a while.
  public func debounce(id: some Hashable & Sendable, for duration: Duration) -> Effect {
    delay(for: duration).id(id, policy: .runNewest())
  }

  /// Starts at most one effect of the id in each span of time.
  ///
  /// - Parameters:
  ///   - id: The id that the effects have in common, by which they can be cancelled too.
  ///   - duration: The span, which begins with an effect's start.
  ///   - latest: Whether the last one that came within the span starts at its end; else all that
  ///     come within it are dropped.
  /// - Returns: The effect with the throttle.
  public func throttle(id: some Hashable & Sendable, for duration: Duration, latest: Bool = false)
    -> Effect
  {
    if isNone { return self }
    let name = EffectID(id)
    let policy = latest ? EffectPolicy(kind: .latest) : .runOldest(.discard)
    return Effect.concatenate(Effect(.spawn(identified(name, .all))), .sleep(for: duration))
      .identified(name.used(as: .pause), policy)
  }

  /// Cancels the effect when it takes too long, and then sends a change, if one is given.
  public func timeout(after duration: Duration, sending change: Change? = nil) -> Effect {
    if isNone { return self }
    let (work, alarm) = (EffectID.unique(), EffectID.unique())
    // The effect may be over before the alarm is set, and just when it rings.
    let whileWorking = EffectPolicy(kind: .companion(of: work))
    let end = Effect.concatenate(Effect(.cancel(work)), change.map(Effect.send) ?? .none)
    return .merge(
      Effect.concatenate(self, Effect(.cancel(alarm))).identified(work, .all),
      Effect.concatenate(.sleep(for: duration), end.identified(.unique(), whileWorking))
        .identified(alarm, whileWorking))
  }
}
