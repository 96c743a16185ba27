/// Brings the changes of a publisher or a task into the store, for as long as its effect lives.
///
/// It does not keep the store alive. A task and its sender share one, because a weak reference costs
/// more than a strong one whenever it is made, copied and freed.
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
    send(input)
    return .none
  }

  @inlinable func send(_ change: B.Change) {
    lego?.build(change, from: run)
  }

  /// Does a task's work.
  @inlinable func perform(_ operation: @Sendable (Send<B.Change>) async -> Void) async {
    await operation(Send { self.send($0) })
    run.finishTask()
  }

  @inlinable func receive(completion: Subscribers.Completion<Never>) {
    run.finish()
  }
}
