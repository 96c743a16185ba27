/// The clock that effects wait on.
public struct EffectClock: Service {
  /// A clock that measures time as a `Duration`.
  public typealias Value = any Clock<Duration>

  /// The continuous clock.
  public static var contractor: any Clock<Duration> { ContinuousClock() }
}

extension Contractors {
  /// The clock that effects wait on.
  public var clock: any Clock<Duration> {
    get { Self[EffectClock.self] }
    set { Self[EffectClock.self] = newValue }
  }
}

extension Effect {
  /// Waits on the ``Contractors/clock`` in force.
  private static func sleep(for duration: Duration) -> Effect {
    .run(name: "sleep") { _ in
      // If the sleep is interrupted, the effect was cancelled.
      try? await Contractors().clock.sleep(for: duration)
    }
  }

  /// Starts the effect later.
  public func delay(for duration: Duration) -> Effect {
    isNone ? self : .concatenate(.sleep(for: duration), self)
  }

  /// Starts the effect when no other of the same ID has come for a while.
  public func debounce(id: some Hashable & Sendable, for duration: Duration) -> Effect {
    delay(for: duration).id(id, policy: .runNewest())
  }

  /// Starts at most one effect of an ID in each period of time.
  ///
  /// - Parameters:
  ///   - id: The common ID of the effects, which also cancels them.
  ///   - duration: The length of the period, which begins when an effect starts.
  ///   - latest: If `true`, the last effect that came within the period starts at its end.
  ///     Otherwise, all of them are dropped.
  /// - Returns: The effect with the throttle.
  public func throttle(id: some Hashable & Sendable, for duration: Duration, latest: Bool = false)
    -> Effect
  {
    if isNone { return self }
    let name = EffectID(id)
    let policy = latest ? EffectPolicy(kind: .latest) : .runOldest(.discard)
    return Effect.concatenate(Effect(.detached(identified(name, .all))), .sleep(for: duration))
      .identified(name.used(as: .pause), policy)
  }

  /// Cancels the effect if it takes too long, and then sends a change, if one is given.
  public func timeout(after duration: Duration, sending change: Change? = nil) -> Effect {
    if isNone { return self }
    let (work, alarm) = (EffectID.unique(), EffectID.unique())
    // The effect may end before the alarm is set, or at the same time.
    let whileWorking = EffectPolicy(kind: .companion(of: work))
    let end = Effect.concatenate(Effect(.cancel(work)), change.map(Effect.send) ?? .none)
    return .merge(
      Effect.concatenate(self, Effect(.cancel(alarm))).identified(work, .all),
      Effect.concatenate(.sleep(for: duration), end.identified(.unique(), whileWorking))
        .identified(alarm, whileWorking))
  }
}
