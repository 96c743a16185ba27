/// The clock that effects wait on.
public struct EffectClock: Service {
  /// Any clock whose instants are apart by a `Duration`.
  public typealias Value = any Clock<Duration>

  /// The continuous clock, unless a test puts one of its own in its place.
  public static var contractor: any Clock<Duration> { ContinuousClock() }
}

extension Contractors {
  /// The clock that effects wait on.
  public var clock: any Clock<Duration> {
    get { Self[EffectClock.self] }
    set { Self[EffectClock.self] = newValue }
  }
}
