internal import Synchronization

/// A running effect: a publisher or a task that brings changes into the store.
@usableFromInline final class EffectRun<B: Blueprint>: Subscriber, Cancellable {
  @usableFromInline typealias Input = B.Change
  @usableFromInline typealias Failure = Never

  private enum Work: Sendable {
    case starting
    case running(any Cancellable)
    case ended
  }

  let number: UInt64
  let context: EffectContext<B>
  /// Whether what it sends is still applied; cleared under the store's lock.
  let isLive = Atomic(true)
  private weak let host: (any EffectHost<B>)?
  private let work = Mutex(Work.starting)

  init(_ number: UInt64, in context: EffectContext<B>, of host: any EffectHost<B>) {
    self.number = number
    self.context = context
    self.host = host
  }

  func send(_ change: B.Change) {
    host?.build(change, from: self)
  }

  func finish() {
    _ = exchange()
    host?.end(self)
  }

  /// Takes on what has to be cancelled with the effect.
  func attach(_ cancellable: any Cancellable) -> Bool {
    let isAttached = work.withLock { work in
      guard case .starting = work else { return false }
      work = .running(cancellable)
      return true
    }
    if !isAttached { cancellable.cancel() }
    return isAttached
  }

  /// Stops the work; the store has ended the effect already.
  @usableFromInline func cancel() {
    if case .running(let cancellable) = exchange() { cancellable.cancel() }
  }

  private func exchange() -> Work {
    work.withLock { work in
      defer { work = .ended }
      return work
    }
  }

  @usableFromInline func receive(subscription: any Subscription) {
    if attach(subscription) { subscription.request(.unlimited) }
  }

  @usableFromInline func receive(_ input: B.Change) -> Subscribers.Demand {
    send(input)
    return .none
  }

  @usableFromInline func receive(completion: Subscribers.Completion<Never>) {
    finish()
  }
}
