/// Brings the changes of a publisher into the store, for as long as its effect lives.
@usableFromInline final class EffectSubscriber<B: Blueprint>: Subscriber {
  @usableFromInline typealias Input = B.Change
  @usableFromInline typealias Failure = Never

  @usableFromInline let run: EffectRun
  @usableFromInline weak let lego: Lego<B>?

  @inlinable init(_ run: EffectRun, in lego: Lego<B>) {
    self.run = run
    self.lego = lego
  }

  @inlinable func receive(subscription: any Subscription) {
    if run.attach(subscription) { subscription.request(.unlimited) }
  }

  @inlinable func receive(_ input: B.Change) -> Subscribers.Demand {
    lego?.build(input, from: run)
    return .none
  }

  @inlinable func receive(completion: Subscribers.Completion<Never>) {
    run.finish()
  }
}
