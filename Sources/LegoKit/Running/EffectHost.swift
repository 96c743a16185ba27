/// What a running effect needs of its store.
protocol EffectHost<B>: AnyObject, Sendable {
  associatedtype B: Blueprint

  /// Applies a change that an effect sent, unless the effect was cancelled.
  func build(_ change: B.Change, from run: EffectRun<B>)

  /// Forgets an effect that has ended by itself.
  func end(_ run: EffectRun<B>)
}
