/// The service that provides the clock for effects.
public struct EffectClock: Service {
  /// A clock that measures time as a `Duration`.
  public typealias Value = any Clock<Duration>

  /// The default clock, which is a `ContinuousClock`.
  public static var contractor: any Clock<Duration> { ContinuousClock() }
}

extension Contractors {
  /// The clock that effects use to wait.
  public var clock: any Clock<Duration> {
    get { Self[EffectClock.self] }
    set { Self[EffectClock.self] = newValue }
  }
}

extension Effect {
  /// Returns an effect that waits on the current ``Contractors/clock``.
  private static func sleep(for duration: Duration) -> Effect {
    .run(name: "sleep") { _ in
      // An error means that the effect was cancelled.
      try? await Contractors().clock.sleep(for: duration)
    }
  }

  /// Returns an effect that waits for the given duration, and then starts this effect.
  public func delay(for duration: Duration) -> Effect {
    isNone ? self : .concatenate(.sleep(for: duration), self)
  }

  /// Returns an effect that starts this effect after the given duration, unless a newer effect with
  /// the same ID cancels it.
  ///
  /// A newer effect also cancels this effect if it is already running.
  public func debounce(id: some Hashable & Sendable, for duration: Duration) -> Effect {
    delay(for: duration).id(id, policy: .runNewest())
  }

  /// Throttles effects with the same ID, so that at most one of them starts in each period.
  ///
  /// - Parameters:
  ///   - id: The ID that the throttled effects share. It can be used to cancel them.
  ///   - duration: The length of the period in which at most one effect starts. A period begins
  ///     when an effect starts.
  ///   - latest: If `true`, the latest effect that arrives during a period starts when the period
  ///     ends. Otherwise, all effects that arrive during a period are dropped.
  /// - Returns: The throttled effect.
  public func throttle(id: some Hashable & Sendable, for duration: Duration, latest: Bool = false)
    -> Effect
  {
    if isNone { return self }
    let name = EffectID(id)
    let policy = latest ? EffectPolicy(kind: .latest) : .runOldest(.discard)
    return Effect.concatenate(Effect(.detached(identified(name, .all))), .sleep(for: duration))
      .identified(name.used(as: .pause), policy)
  }

  /// Returns an effect that runs this effect, and cancels it if it has not ended after the given
  /// duration.
  ///
  /// - Parameters:
  ///   - duration: The maximum time that this effect may take.
  ///   - change: The change to send if this effect times out, or `nil` to send none.
  /// - Returns: The effect with the timeout.
  public func timeout(after duration: Duration, sending change: Change? = nil) -> Effect {
    if isNone { return self }
    let (work, alarm) = (EffectID.unique(), EffectID.unique())
    // The effect may end before the alarm is set, or while the alarm goes off. In both cases, the
    // policy drops what the alarm would start.
    let whileWorking = EffectPolicy(kind: .companion(of: work))
    let end = Effect.concatenate(Effect(.cancel(work)), change.map(Effect.send) ?? .none)
    return .merge(
      Effect.concatenate(self, Effect(.cancel(alarm))).identified(work, .all),
      Effect.concatenate(.sleep(for: duration), end.identified(.unique(), whileWorking))
        .identified(alarm, whileWorking))
  }
}
